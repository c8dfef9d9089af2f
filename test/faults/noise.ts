import { setTimeout as sleep } from 'node:timers/promises'
import { createProject } from '../../src/access/projects/manage-project.ts'
import { issueToken } from '../../src/access/tokens/manage-token.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { bearer } from '../processes/served-shop.ts'
import { sendMessage } from '../requests/agent-client.ts'
import { startReceiver } from '../webhook-receiver.ts'
import { scaled } from './scale.ts'

/** A project of a service, with a token. */
export type Shop = {
  project: number
  url: string
  token: string
  /** Rejects if the client aborts the request. */
  send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<ShopResponse>
}
type ShopResponse = { status: number; body: Record<string, unknown> }

const actor = { name: 'tester' }

export async function openShop(database: Database, url: string): Promise<Shop> {
  const { id: project } = await createProject(database, actor, { name: 'Shop', plan: 'enterprise' })
  const { token } = await issueToken(database, actor, project, {})
  return {
    project,
    url,
    token,
    async send(method, path, body, signal) {
      const response = await fetch(`${url}/v2${path}`, {
        method,
        headers: { ...bearer(token), ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
    },
  }
}

const linesPerPush = 5_000

async function addProducts(shop: Shop, count: number, description: string): Promise<void> {
  for (let first = 0; first < count; first += linesPerPush) {
    const lines = Array.from({ length: Math.min(linesPerPush, count - first) }, (_, index) => ({
      ...{ sku: `N-${first + index}`, name: `Neighbor ${first + index}`, description, price: 10 },
      attributes: { color: 'red', size: index % 40 },
    }))
    const { status } = await shop.send('POST', '/products/bulk', lines)
    if (status !== 200) throw new Error(`a push returned ${status}`)
  }
}

/** Repeats the work concurrently until the signal. Failures are ignored, because they are not tested. */
async function repeat(atOnce: number, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  const loop = async () => {
    while (!signal.aborted) await work().catch(() => sleep(10))
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
}

type Noise = (parts: { database: Database; url: string; signal: AbortSignal }) => Promise<void>

const expensivePattern = `${'[a-z]*'.repeat(25)}!`
const expensiveRules = Array.from({ length: 5 }, (_, index) => ({
  ...{ code: `expensive_${index}`, kind: 'text_pattern', field: 'description', points: 1 },
  pattern: expensivePattern,
}))
const longText = `${'a'.repeat(1_000)}?`

/** The load of one or two projects, until the signal. Resolves when the load has started. */
export const neighbors: Record<string, Noise> = {
  async 'a proposal over very many products'({ database, url }) {
    const shop = await openShop(database, url)
    await addProducts(shop, scaled(1_500, 100_000), 'A product of a large neighbor')
    const edits = [{ field: 'price', op: 'multiply', value: 1.1 }]
    const { status } = await shop.send('POST', '/proposals/from-filter', { title: 'All', filter: '', edits })
    if (status !== 201) throw new Error(`the proposal returned ${status}`)
  },

  async '40 webhooks of two projects whose receivers take 14 seconds'({ database, url, signal }) {
    const slow = await startReceiver(() => sleep(14_000, 200, { signal, ref: false }).catch(() => 200))
    for (const shop of [await openShop(database, url), await openShop(database, url)]) {
      const hook = { url: slow.url, types: ['product.*'] }
      await Promise.all(Array.from({ length: 20 }, () => shop.send('POST', '/webhooks', hook)))
      await addProducts(shop, 50, 'A product that changes')
      void repeat(1, signal, async () => {
        await addProducts(shop, 50, `Changed ${Math.random()}`)
        await sleep(500, undefined, { signal })
      })
    }
  },

  async '30 busy clients'({ database, url, signal }) {
    const shop = await openShop(database, url)
    await addProducts(shop, 500, 'A product of a busy neighbor')
    const [{ body }] = [await shop.send('GET', '/products?page_size=500')]
    const ids = (body['results'] as { id: number }[]).map(({ id }) => id)
    const any = () => ids[Math.floor(Math.random() * ids.length)]
    const acts = [
      () => shop.send('GET', `/products/${any()}`),
      () => shop.send('GET', `/products?search=neighbor&page=${1 + Math.floor(Math.random() * 20)}`),
      () => shop.send('PATCH', `/products/${any()}`, { price: Math.round(Math.random() * 1_000) }),
    ]
    for (const act of acts) void repeat(10, signal, act)
  },

  async 'five expensive quality patterns over many products'({ database, url }) {
    const shop = await openShop(database, url)
    await addProducts(shop, scaled(400, 50_000), longText)
    const { status } = await shop.send('PUT', '/quality-rules', { rules: expensiveRules })
    if (status !== 200) throw new Error(`the rules returned ${status}`)
  },

  async '400 aborted event reads from the beginning'({ database, url, signal }) {
    const shop = await openShop(database, url)
    await addProducts(shop, scaled(1_000, 20_000), longText)
    let left = scaled(100, 400)
    void repeat(20, signal, async () => {
      if (left <= 0) return sleep(100)
      left -= 1
      await shop.send('GET', '/events?after=0&limit=1000', undefined, AbortSignal.timeout(50))
    })
  },

  async '1,000 rejected sign-ins'({ url, signal }) {
    let left = scaled(200, 1_000)
    void repeat(10, signal, async () => {
      if (left <= 0) return sleep(100)
      left -= 1
      const response = await fetch(`${url}/console/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url },
        body: JSON.stringify({ email: `someone-${Math.random()}@shop.example`, password: 'wrong password' }),
      })
      await response.arrayBuffer()
    })
  },

  async 'attribute suggestions and rule previews in a loop'({ database, url, signal }) {
    for (const shop of [await openShop(database, url), await openShop(database, url)]) {
      await addProducts(shop, scaled(500, 10_000), longText)
      void repeat(2, signal, () => shop.send('GET', '/attribute-suggestions'))
      void repeat(2, signal, () => shop.send('POST', '/quality-rules/preview', { rules: expensiveRules }))
    }
  },

  async '50 agents that search, read and propose'({ database, url, signal }) {
    const shop = await openShop(database, url)
    await addProducts(shop, 500, 'A product that agents read')
    const authorization = { authorization: `Bearer ${shop.token}` }
    const sku = () => `N-${Math.floor(Math.random() * 500)}`
    const calls = [
      () => ({ name: 'catalog_overview', arguments: {} }),
      () => ({ name: 'search_products', arguments: { search: 'neighbor', page_size: 20 } }),
      () => ({ name: 'get_product', arguments: { sku: sku() } }),
      () => ({ name: 'propose_changes', arguments: { title: 'T', lines: [{ sku: sku(), price: 5 }] } }),
      () => ({ name: 'count_values', arguments: { facets: ['color', 'size'] } }),
    ]
    for (const params of calls)
      void repeat(10, signal, async () => {
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: params() }
        await (await sendMessage({ url }, message, authorization)).arrayBuffer()
      })
  },
}

export function openTestDatabase(connection: Parameters<typeof openDatabase>[0]['connection']): Database {
  return openDatabase({ connection, poolSize: 2, statementTimeoutSeconds: 60 })
}

/** Removes the remaining work of neighbors, so that each test has one neighbor. */
export async function stopNeighbors(database: Database): Promise<void> {
  await database.query(
    sql`update webhooks set disabled_reason = 'by_hand', disabled_at = now() where disabled_reason is null`,
  )
  await database.query(
    sql`update proposals set state = 'discarded', closed_at = now() where state = 'preparing'`,
  )
  await database.query(sql`delete from scoring_jobs`)
  await database.query(sql`delete from jobs where project_id > 0`)
}
