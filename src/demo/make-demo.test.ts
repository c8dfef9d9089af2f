import { expect, test } from 'vitest'
import { cookieOf, signIn } from '../../test/console-user.ts'
import { startTestService } from '../../test/harness.ts'
import { ownDatabase } from '../../test/test-database.ts'
import { type Demo, makeDemo } from './make-demo.ts'

test('a demo made again ends the last token and passwords but no session, and all of it stands in the audit trail', async () => {
  const service = await startTestService({}, await ownDatabase('demo'))
  const first = (await makeDemo(service.database)) as Demo
  const { email, password } = first.sign_ins.operator
  const cookie = cookieOf(await signIn(service, email, password))

  const second = (await makeDemo(service.database)) as Demo
  expect([first.products, second.products]).toEqual([1000, 0])
  const status = async (token: string) => (await service.call('/v2/project', { token })).status
  expect([await status(first.token), await status(second.token)]).toEqual([401, 200])
  expect((await signIn(service, email, password)).status).toBe(401)

  const { status: signedIn, body } = await service.call('/console/api/operator/audit', {
    headers: { cookie },
  })
  expect(signedIn).toBe(200)
  const lines: { actor: string; action: string }[] = body.results.toReversed()
  expect(lines.map(({ action }) => action)).toEqual([
    ...['project.create', 'project.create', 'token.create', 'user.create', 'user.create'],
    ...['token.revoke', 'token.create', 'user.reset_password', 'user.reset_password'],
  ])
  expect(new Set(lines.map(({ actor }) => actor))).toEqual(new Set(['demo']))
})
