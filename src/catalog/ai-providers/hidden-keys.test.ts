import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { consoleUser } from '../../../test/console-user.ts'
import { connectionUrl, ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type TestService } from '../../../test/harness.ts'
import { serve } from '../../../test/processes/catalog-process.ts'
import { type SampleModel, startSampleModel } from '../../../test/sample-model/sample-model.ts'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { saveBackup } from '../../operations/backup/save-backup.ts'
import { raw, sql } from '../../platform/database/sql.ts'

/** Every key contains it, also the invalid ones. */
const mark = 'Zq7secretZq7'

let service: TestService
let sample: SampleModel
let connection: pg.ClientConfig
beforeAll(async () => {
  sample = await startSampleModel()
  whenFileEnds(sample.close)
  connection = await ownDatabase('hidden_keys')
  service = await startTestService({ aiAllow: [sample.origin] }, connection)
})

const models = [{ name: 'sample', input_price: 1, output_price: 1, max_output_tokens: 100 }]
const put = (changes: object) => ({
  method: 'PUT',
  body: {
    kind: 'openai-compatible',
    base_url: sample.url,
    key: `sk-${mark}`,
    currency: 'EUR',
    models,
    ...changes,
  },
})

test('keys are found nowhere: not in responses, logs, events, the audit trail, stored responses, tables or a backup', {
  tags: 'slow',
}, async () => {
  const shop = await service.tenant()
  const served = await serve(['--log-level', 'trace', '--ai-allow', sample.origin], {
    DATABASE_URL: connectionUrl(connection),
  })
  const seen: string[] = []
  const call = async (path: string, { method = 'GET', body }: { method?: string; body?: unknown } = {}) => {
    const response = await fetch(`${served.url}/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${shop.token}`,
        'idempotency-key': `key-${seen.length}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    seen.push(JSON.stringify([...response.headers]), await response.text())
    return response.status
  }

  expect(await call('/ai-providers/own', put({}))).toBe(201)
  for (const behavior of [
    'sample',
    'sample-500',
    'sample-429',
    'sample-prose',
    'sample-cut',
    'sample-redirect',
  ]) {
    expect(await call('/ai-providers/own', put({ models: [{ ...models[0], name: behavior }] }))).toBe(200)
    expect(await call('/ai-providers/own/test', { method: 'POST' })).toBe(200)
  }
  expect(sample.calls.length).toBeGreaterThan(10)
  expect(sample.calls.every(({ headers }) => headers.authorization?.includes(mark))).toBe(true)
  for (const wrong of [
    { key: `sk ${mark}` },
    { key: mark.repeat(1000) },
    { key: [mark] },
    { key: { mark } },
    { currency: 'x' },
    { base_url: 'http://10.0.0.1' },
  ])
    expect(await call('/ai-providers/own', put(wrong))).toBe(422)
  const broken = JSON.stringify(put({}).body).slice(0, -1)
  for (const body of [`${broken},`, `{"key": sk-${mark}}`, `{"key": "sk-${mark}`])
    expect(await call('/ai-providers/own', { method: 'PUT', body })).toBe(400)
  const runModels = ['sample', 'sample-redirect', 'sample-schema-refused']
  const runnable = put({ models: runModels.map((name) => ({ ...models[0], name })) })
  expect(await call('/ai-providers/own', runnable)).toBe(200)
  const post = async (path: string, body: object): Promise<number> => {
    expect(await call(path, { method: 'POST', body }), seen.at(-1)).toBeLessThan(300)
    return JSON.parse(seen.at(-1) as string).id
  }
  const product = await post('/products', { sku: 'K1', name: 'Lamp' })
  const prompt = await post('/prompts', { name: 'K', prompt_text: 'name: {{name}}' })
  for (const model of runModels) {
    const budget = { amount: 1, currency: 'EUR' }
    const request = { products: [product], write: ['description'], provider: 'own', model, budget }
    const run = await post(`/prompts/${prompt}/runs`, request)
    await expect
      .poll(async () => (await call(`/runs/${run}`)) === 200 && JSON.parse(seen.at(-1) as string).state)
      .toBe('done')
    expect(await call(`/runs/${run}/calls`)).toBe(200)
  }
  expect(await call('/ai-providers')).toBe(200)
  expect(await call('/events?after=0')).toBe(200)
  const operator = await consoleUser(service, { operator: true })
  const audit = await operator.call('/console/api/operator/audit')
  expect(audit.text).toContain('ai_provider.set')
  await served.stop()

  const file = join(temporaryFolder(), 'hidden.backup')
  const { manifest } = await saveBackup(connection, file, { areKeysIncluded: false })
  const places = {
    responses: seen.join('\n'),
    audit: audit.text,
    log: served.stderr() + served.banner.join('\n'),
    tables: await allRows(),
    'backup listing': JSON.stringify(manifest),
    backup: readFileSync(file, 'latin1'),
  }
  expect(places.log).toContain('ai-providers')
  expect(places.tables).toContain('AI provider own')
  expect(places.tables).toContain('provider_rejected')
  expect(
    Object.entries(places)
      .filter(([, text]) => text.includes(mark))
      .map(([name]) => name),
  ).toEqual([])
})

async function allRows(): Promise<string> {
  const tables = await service.database.query(sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`)
  const rows = await Promise.all(
    tables.map(({ name }) =>
      service.database.query(sql<{ text: string }>`select own::text as text from ${raw(name)} as own`),
    ),
  )
  return rows
    .flat()
    .map(({ text }) => text)
    .join('\n')
}
