import { beforeAll, expect, test } from 'vitest'
import { type ConsoleUser, consoleUser } from '../../../test/console-user.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import type { MemberRole } from '../../access/roles.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const memberWith = (role: MemberRole) =>
  consoleUser(service, { memberships: [{ project_id: shop.project, role }] })
const pathOf = (rest: string) => `/console/api/projects/${shop.project}${rest}`

async function propose(user: ConsoleUser, title: string): Promise<number> {
  const body = [{ sku: 'I-1', name: title }]
  const path = pathOf(`/proposals?${new URLSearchParams({ title })}`)
  return (await user.call(path, { method: 'POST', body })).body.id
}

const finish = (user: ConsoleUser, title: string, proposals: number[]) =>
  user.call(pathOf('/imports/finished'), { method: 'POST', body: { title, proposals } })

const finished = async (user: ConsoleUser) =>
  (await user.call('/console/api/notifications')).body.results.filter(
    ({ kind }: { kind: string }) => kind === 'import_finished',
  )

test('an import notifies the user who made it once, however many proposals it created', async () => {
  const [editor, manager] = await Promise.all([memberWith('editor'), memberWith('manager')])
  const small = await propose(editor, 'Small')
  expect((await finish(editor, 'Small', [small])).status).toBe(204)
  const parts = [await propose(editor, 'Large (1)'), await propose(editor, 'Large (2)')]
  for (const _repeated of [1, 2]) expect((await finish(editor, 'Large', parts)).status).toBe(204)
  expect(await finished(editor)).toMatchObject([
    { title: 'Large', object_id: null, project: { id: shop.project }, read_at: null },
    { title: 'Small', object_id: small, events: 1 },
  ])
  expect(await finished(manager)).toEqual([])
})

test('the end of an import names existing proposals of the user, and viewers have none', async () => {
  const [editor, other, viewer] = await Promise.all([
    memberWith('editor'),
    memberWith('editor'),
    memberWith('viewer'),
  ])
  const [own, theirs] = [await propose(editor, 'Own'), await propose(other, 'Theirs')]
  const { body } = await shop.call('/v2/proposals', { method: 'POST', body: [{ sku: 'I-2', name: 'Token' }] })
  for (const [proposals, status] of [
    [[own, theirs], 404],
    [[body.id], 404],
    [[987_654_321], 404],
    [[], 422],
  ] as const)
    expect((await finish(editor, 'Import', [...proposals])).status).toBe(status)
  expect((await finish(viewer, 'Import', [own])).status).toBe(403)
  expect([await finished(editor), await finished(viewer)]).toEqual([[], []])
})
