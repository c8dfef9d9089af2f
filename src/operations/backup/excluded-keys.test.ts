import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { emptyDatabase, ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { openBackup } from './open-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { saveBackup } from './save-backup.ts'

const configured = randomBytes(32).toString('base64')
let source: pg.ClientConfig
let shop: Tenant
/** Ids of webhooks, by the key that encrypts their secrets. */
const webhooks = { kept: 0, keptByHand: 0, configured: 0 }

beforeAll(async () => {
  source = await ownDatabase('keys')
  const service = await startTestService({}, source)
  shop = await service.tenant()
  webhooks.kept = await newWebhook(service)
  webhooks.keptByHand = await newWebhook(service)
  const at = `/v2/webhooks/${webhooks.keptByHand}/disable`
  expect((await service.call(at, { method: 'POST', token: shop.token })).status).toBe(200)
  await newProvider(service, 'kept')
  const configuring = await startTestService({ webhookKeys: [configured] }, source)
  webhooks.configured = await newWebhook(configuring)
  await newProvider(configuring, 'configured')
})

const providerOf = (key?: string) => ({
  ...{ kind: 'openai-compatible', base_url: 'https://models.invalid/v1', currency: 'EUR' },
  models: [{ name: 'small', input_price: 0, output_price: 0, max_output_tokens: 100 }],
  ...(key !== undefined && { key }),
})

async function newProvider({ call }: TestService, name: string): Promise<void> {
  const response = await call(`/v2/ai-providers/${name}`, {
    method: 'PUT',
    token: shop.token,
    body: providerOf('sk-1'),
  })
  expect(response.status, response.text).toBe(201)
}

async function newWebhook({ call }: TestService): Promise<number> {
  const body = { url: 'https://receiver.invalid/' }
  const response = await call('/v2/webhooks', { method: 'POST', token: shop.token, body })
  expect(response.status, response.text).toBe(201)
  return response.body.id
}

async function restoredFrom(options: { areKeysIncluded?: boolean }) {
  const file = join(temporaryFolder(), 'catalog.backup')
  const { manifest } = await saveBackup(source, file, options)
  const target = await emptyDatabase('keys')
  await restoreBackup(target, await openBackup(file))
  return { manifest, target, keys: await keysOf(target) }
}

let once: ReturnType<typeof restoreWithoutKeys> | undefined

/** One restore for all tests that need no keys; each changes other objects. */
function withoutKeys() {
  once ??= restoreWithoutKeys()
  return once
}

async function restoreWithoutKeys() {
  const restored = await restoredFrom({})
  const { call } = await startTestService({ webhookKeys: [configured] }, restored.target)
  return { ...restored, call }
}

function keysOf(connection: pg.ClientConfig) {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 30 })
  whenFileEnds(() => database.close())
  return database.query(sql<{ name: string; value: string }>`select name, value from secrets order by name`)
}

test('a backup contains no keys; after a restore, webhooks report an unreadable secret until it is rotated', async () => {
  const { manifest, keys, call } = await withoutKeys()
  expect(manifest.tables.map(({ name }) => name)).not.toContain('secrets')
  expect(keys).toEqual([])

  const ask = async (id: number, verb = '') => {
    const method = verb === '' ? 'GET' : 'POST'
    const { body } = await call(`/v2/webhooks/${id}${verb}`, { method, token: shop.token })
    return body
  }
  expect(await ask(webhooks.kept)).toMatchObject({
    state: 'disabled',
    disabled_reason: 'secret_unreadable',
  })
  expect(await ask(webhooks.keptByHand)).toMatchObject({ state: 'disabled', disabled_reason: 'by_hand' })
  expect(await ask(webhooks.configured)).toMatchObject({ state: 'disabled', disabled_reason: 'restored' })
  expect(await ask(webhooks.kept, '/test')).toMatchObject({
    error: 'the secret cannot be decrypted; rotate it',
  })
  expect(await ask(webhooks.kept, '/rotate')).toMatchObject({ state: 'enabled', disabled_reason: null })
  expect((await ask(webhooks.kept, '/test')).error).not.toBe('the secret cannot be decrypted; rotate it')
  expect((await ask(webhooks.configured, '/test')).error).not.toBe(
    'the secret cannot be decrypted; rotate it',
  )
})

test('a backup with --include-keys contains the keys, and webhooks are enabled without a rotation', async () => {
  const { target, keys } = await restoredFrom({ areKeysIncluded: true })
  expect(keys).toEqual(await keysOf(source))
  expect(keys.map(({ name }) => name)).toContain('webhooks')

  const { call } = await startTestService({}, target)
  const at = `/v2/webhooks/${webhooks.kept}`
  expect((await call(at, { token: shop.token })).body.disabled_reason).toBe('restored')
  const { body } = await call(`${at}/test`, { method: 'POST', token: shop.token })
  expect(body.error).not.toBe('the secret cannot be decrypted; rotate it')
})

test('after a restore, AI providers are disabled until a manager sends them again, with the key if it is unreadable', async () => {
  const { call } = await withoutKeys()
  const { token } = shop
  const reasons = async () => {
    const { body } = await call('/v2/ai-providers', { token })
    return Object.fromEntries(
      body.results.map((one: Record<string, unknown>) => [one['name'], one['disabled_reason']]),
    )
  }
  const send = async (name: string, key?: string) =>
    (await call(`/v2/ai-providers/${name}`, { method: 'PUT', token, body: providerOf(key) })).body
      .disabled_reason
  expect(await reasons()).toEqual({ kept: 'key_unreadable', configured: 'restored' })
  expect(await send('configured')).toBe(null)
  expect(await send('kept')).toBe('key_unreadable')
  expect(await send('kept', 'sk-1')).toBe(null)
})
