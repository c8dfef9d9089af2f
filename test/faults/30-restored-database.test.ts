import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBackup } from '../../src/operations/backup/open-backup.ts'
import { restoreBackup } from '../../src/operations/backup/restore-backup.ts'
import { saveBackup } from '../../src/operations/backup/save-backup.ts'
import { consoleUser, signIn } from '../console-user.ts'
import { emptyDatabase, ownDatabase } from '../database/test-database.ts'
import { startTestService } from '../harness.ts'
import { temporaryFolder } from '../setup/temporary-folder.ts'

test('fault 30: a restored database has no sessions and its webhooks are disabled; accounts and tokens work', async () => {
  const source = await ownDatabase('before')
  const service = await startTestService({}, source)
  const { token, call } = await service.tenant()
  const receiver = { url: 'https://receiver.invalid/' }
  const { body: webhook } = await call('/v2/webhooks', { method: 'POST', body: receiver })
  const { email, password, cookie } = await consoleUser(service)
  const session = { headers: { cookie } }
  expect((await service.call('/console/api/session', session)).status).toBe(200)

  const file = join(temporaryFolder(), 'catalog.backup')
  await saveBackup(source, file, { areKeysIncluded: true })
  const target = await emptyDatabase('after')
  await restoreBackup(target, await openBackup(file))
  const restored = await startTestService({}, target)
  expect((await restored.call('/console/api/session', session)).status).toBe(401)
  expect((await signIn(restored, email, password)).status).toBe(200)
  expect((await restored.call('/v2/project', { token })).status).toBe(200)
  const at = `/v2/webhooks/${webhook.id}`
  expect((await restored.call(at, { token })).body).toMatchObject({
    state: 'disabled',
    disabled_reason: 'restored',
  })
  const enabled = await restored.call(`${at}/enable`, { method: 'POST', token })
  expect(enabled.body.state).toBe('enabled')
})
