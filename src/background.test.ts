import { expect, test } from 'vitest'
import { databaseProxy } from '../test/database/database-proxy.ts'
import { ownDatabase } from '../test/database/test-database.ts'
import { startTestService } from '../test/harness.ts'
import { wireCounter } from '../test/requests/wire-count.ts'
import { startReceiver } from '../test/webhook-receiver.ts'
import { changeRules } from './catalog/quality/change-rules.ts'
import { createWebhook } from './delivery/webhooks/manage-webhook.ts'
import { defaultRulesVersion } from './model/quality/default-rules.ts'
import { scopes } from './model/scopes.ts'
import { sql } from './platform/database/sql.ts'
import { dialRules } from './platform/outbound/check-address.ts'
import { secretCipher } from './platform/secrets/secret-cipher.ts'

const allowed = ['127.0.0.0/8']
const author = { actor: 'tester', source: 'api' } as const

test('scoring and webhook deliveries use no connection of requests', { tags: 'slow' }, async () => {
  const wire = wireCounter()
  const { connection } = await databaseProxy(await ownDatabase('background'), wire.listen)
  const { database, tenant } = await startTestService({ webhookAllow: allowed }, connection)
  const { project } = await tenant()
  const receiver = await startReceiver()
  const tools = { cipher: secretCipher(database, []), rules: dialRules(allowed) }
  const creator = { projectId: project, actor: { name: 'tester' }, scopes }
  await createWebhook(database, tools, creator, { url: receiver.url })
  await database.query(sql`
    insert into products (project_id, sku, name, search_text, quality_score, quality_failed, quality_rules_version)
    values (${project}, 'S-1', 'x', 'x', 77, '{}', ${defaultRulesVersion})`)
  await changeRules(database, project, author, [{ code: 'priced', kind: 'price_present', points: 1 }])
  const findScored = () =>
    database.query(sql`select from products where project_id = ${project} and quality_ruleset = 1`)
  await expect.poll(findScored).toHaveLength(1)
  await expect.poll(() => receiver.delivered().map(({ type }) => type)).toContain('quality_rules.updated')
  expect(wire.takeSent()).toEqual([])
})
