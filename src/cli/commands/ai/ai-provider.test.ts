import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectionUrl, ownDatabase } from '../../../../test/database/test-database.ts'
import { startTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { compileCache, environment, preloading } from '../../../../test/processes/catalog-process.ts'
import { type CommandRunner, commandRunner } from '../../../../test/processes/command-runner.ts'
import { runCheck } from '../../../../test/run-check.ts'
import { type SampleModel, startSampleModel } from '../../../../test/sample-model/sample-model.ts'
import { whenFileEnds } from '../../../../test/setup/file-end.ts'
import { createFolder } from '../../../../test/setup/temporary-folder.ts'
import { providersCheck } from '../../../operations/doctor/check-providers.ts'
import { sql } from '../../../platform/database/sql.ts'

let service: TestService
let shop: Tenant
let sample: SampleModel
let commands: CommandRunner
let database: string
const key = 'sk-of-the-operator-1234'
const folder = createFolder()
whenFileEnds(() => rmSync(folder, { recursive: true }))
const keyFile = join(folder, 'key.txt')

beforeAll(async () => {
  sample = await startSampleModel()
  whenFileEnds(sample.close)
  const connection = await ownDatabase('ai_command')
  database = connectionUrl(connection)
  service = await startTestService({ aiAllow: [sample.origin] }, connection)
  commands = commandRunner({ DATABASE_URL: database })
  writeFileSync(keyFile, `${key}\n`)
})

beforeEach(async () => {
  await service.database.query(sql`delete from ai_offers`)
  shop = await service.tenant({ plan: 'pro' })
})

const provider = (...args: string[]) => ['ai', 'provider', ...args]
const settings = () => [
  ...['--kind', 'openai-compatible', '--base-url', sample.url, '--ai-allow', sample.origin],
  ...['--currency', 'EUR', '--model', 'sample,0.15,0.6,500', '--plans', 'pro', '--project-cap', '20.5'],
]
const offer = (name = 'house') =>
  commands.catalogJson(provider('set', name, ...settings(), '--key-file', keyFile))
const listed = async ({ call } = shop) => (await call('/v2/ai-providers')).body.results

describe('catalog ai provider', () => {
  test('set offers a provider to the projects of its plans, without its key and address', async () => {
    const set = await offer()
    expect(set).toMatchObject({
      name: 'house',
      has_key: true,
      project_cap: 20.5,
      plans: ['pro'],
    })
    expect(await commands.catalogJson(provider('list'))).toEqual([set])
    expect(await listed()).toMatchObject([
      { name: 'house', offered: true, base_url: null, has_key: true, monthly_budget: 20.5, state: 'enabled' },
    ])
    expect(await listed(await service.tenant({ plan: 'enterprise' }))).toEqual([])
  })

  test('test calls the model with the stored key, and runs use what it found', async () => {
    await offer()
    const findings = await commands.catalogJson(provider('test', 'house', '--ai-allow', sample.origin))
    expect(findings).toMatchObject({ reachable: true, json_schema: true, usage: true })
    expect(sample.calls.at(-1)?.headers.authorization).toBe(`Bearer ${key}`)
    expect((await listed())[0].findings).toEqual(findings)
    const ofProject = await shop.call('/v2/ai-providers/house/test', { method: 'POST' })
    expect(ofProject.body.code).toBe('provider_offered')
  })

  test('projects cannot remove an offered provider, but their own one of the same name takes its place', async () => {
    await offer()
    const remove = () => shop.call('/v2/ai-providers/house', { method: 'DELETE' })
    expect((await remove()).body.code).toBe('provider_offered')
    const models = [{ name: 'own', input_price: 1, output_price: 1, max_output_tokens: 10 }]
    const own = { kind: 'openai-compatible', base_url: 'https://models.example', currency: 'EUR', models }
    const { status } = await shop.call('/v2/ai-providers/house', { method: 'PUT', body: own })
    expect(status).toBe(201)
    expect(await listed()).toMatchObject([{ name: 'house', offered: false, has_key: false }])
    expect((await remove()).status).toBe(204)
    expect(await listed()).toMatchObject([{ name: 'house', offered: true }])
  })

  test('set without a key file keeps the key, unless the origin changes', async () => {
    await offer()
    const kept = await commands.catalogJson(provider('set', 'house', ...settings()))
    expect(kept.has_key).toBe(true)
    const moved = settings().map((one) => (one === sample.url ? 'https://collector.example/v1' : one))
    const { code, stderr } = await commands.catalog(provider('set', 'house', ...moved))
    expect([code, stderr]).toEqual([1, expect.stringContaining('key is required')])
  })

  test('remove ends the offer for all projects, and every action is in the audit trail without the key', async () => {
    await offer('removed')
    await commands.catalogJson(provider('test', 'removed', '--ai-allow', sample.origin))
    await offer('removed')
    expect(await listed()).toHaveLength(1)
    expect((await commands.catalog(provider('remove', 'removed'))).code).toBe(0)
    expect(await listed()).toEqual([])
    expect((await commands.catalog(provider('remove', 'removed'))).stderr).toContain(
      'there is no offered provider',
    )
    const entries = await service.database.query(sql<{ action: string; text: string }>`
      select action, details::text as text from audit_entries where target = 'AI provider removed' and project_id is null order by id`)
    expect(entries.map(({ action }) => action)).toEqual(
      ['offer', 'test', 'offer', 'withdraw'].map((verb) => `ai_provider.${verb}`),
    )
    expect(JSON.stringify(entries)).not.toContain(key)
  })

  test.each([
    [['--plans', 'gold'], 'there is no plan gold'],
    [['--base-url', 'http://10.1.2.3/v1'], '--ai-allow http://10.1.2.3'],
    [['--model', 'sample,free,0,1'], 'A model is a name and three numbers'],
    [['--kind', 'other'], 'kind'],
  ])('set with %o explains what is wrong', async (wrong, message) => {
    const { code, stderr } = await commands.catalog(provider('set', 'wrong', ...settings(), ...wrong))
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
  })
})

test('the doctor reports keys that cannot be decrypted', async () => {
  const check = () => runCheck(providersCheck, { DATABASE_URL: database })
  await offer('doctor')
  expect(await check()).toMatchObject({ status: 'ok' })
  await service.database.query(sql`update ai_offers set key = '00000000.AAAA' where name = 'doctor'`)
  expect(await check()).toMatchObject({ status: 'failure', detail: expect.stringContaining('1 key') })
})

test('the libraries for models are loaded only for a call', async () => {
  const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
  const hooks = `import { registerHooks } from 'node:module'
    registerHooks({ resolve(name, context, next) {
      if (name === 'ai' || name.startsWith('@ai-sdk/')) console.error('loaded', name)
      return next(name, context)
    } })`
  const loadedBy = async (args: string[]) => {
    const env = environment({ DATABASE_URL: database, ...compileCache, ...preloading(hooks) })
    const flags = ['--disable-warning=ExperimentalWarning', main, ...args]
    const { stderr } = await promisify(execFile)(process.execPath, flags, { env, maxBuffer: 2 ** 26 })
    return stderr
  }
  await commands.catalogJson(provider('set', 'loaded', ...settings()))
  // The command assembles all routes of the service.
  expect(await loadedBy(['openapi'])).not.toContain('loaded')
  expect(await loadedBy(provider('list'))).not.toContain('loaded')
  expect(await loadedBy(provider('test', 'loaded', '--ai-allow', sample.origin))).toContain('loaded ai')
})
