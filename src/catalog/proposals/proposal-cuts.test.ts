import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { memoryBudget } from '../../platform/http/limits/memory-budget.ts'
import { prepareEdits } from './edits/prepare-edits.ts'
import { prepareProposal } from './prepare-proposals.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  const usual = memoryBudget()
  const pages = { ...usual.pages, usualBytes: 128 * 1024, maxBytes: 512 * 1024 }
  service = await startTestService({}, await ownDatabase('cuts'), { memory: { ...usual, pages } })
}, 60_000)
beforeEach(async () => {
  shop = await service.tenant()
  const { body } = await send(
    'POST',
    '/products/bulk',
    products.map((product) => ({ name: 'N', ...product })),
  )
  expect(body.summary.created).toBe(count)
})

/** Products that are large enough for several batches. A lock blocks the last batch. */
const count = 15
const products = Array.from({ length: count }, (_, at) => ({
  sku: `L-${at}`,
  description: `${at}.`.repeat(30_000),
}))
const send = async (method: string, path: string, body?: object) =>
  shop.call(`/v2${path}`, { method, ...(body && { body }) })
const shown = async (id: number) => (await send('GET', `/proposals/${id}`)).body
const turn = { signal: new AbortController().signal, endsAt: Number.POSITIVE_INFINITY }
async function prepare(): Promise<void> {
  const preparing = await service.database.query(
    sql<{ id: number }>`select id from proposals where project_id = ${shop.project} and state = 'preparing'`,
  )
  for (const { id } of preparing)
    await prepareProposal(service.database, prepareEdits, { projectId: shop.project, id }, turn)
}

/** The service notices broken connections one by one, and returns 503 for each. */
async function cut(): Promise<void> {
  await service.database.query(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  for (let calm = 0; calm < 10; calm += 1) {
    const [{ status }] = await Promise.all([
      shop.call('/v2/products?page_size=1'),
      service.database.query(sql`select 1`).catch(() => {}),
    ])
    if (status === 503) calm = 0
  }
}

/** Locks a row until the work is done or the connection breaks. */
async function holding(row: Sql, work: () => Promise<void>): Promise<void> {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  await new Promise<void>((held) => {
    const hold = service.database.transaction(async (tx) => {
      await tx.query(sql`select from ${row} for update`)
      held()
      await ended
    })
    hold.catch(() => {})
  })
  await work().finally(end)
}

const waiting = async () =>
  (
    await service.database.query(
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length

const lastProduct = () => sql`products where project_id = ${shop.project} and sku = ${`L-${count - 1}`}`
/** The number of products by number of versions that a proposal created. */
const versionsOf = (id: number) =>
  service.database.query(sql`
    select versions, count(*)::int as products from (
      select count(*)::int as versions from product_history
      where project_id = ${shop.project} and proposal_id = ${id} group by product_id) as own
    group by versions`)

test('an interrupted preparation continues in any process', { tags: 'slow' }, async () => {
  const edits = [{ field: 'description', op: 'append', value: 'x' }]
  const { body } = await send('POST', '/proposals/from-filter', { title: 'T', filter: '', edits })
  const lastLine = sql`proposal_lines where project_id = ${shop.project} and proposal_id = ${body.id} and line = ${count}`
  await holding(lastLine, async () => {
    const preparing = Promise.allSettled([prepare(), prepare()])
    await cut()
    await preparing
  })
  await Promise.allSettled([prepare(), prepare()])
  await expect.poll(async () => (await shown(body.id)).state).toBe('open')
  expect((await shown(body.id)).summary).toMatchObject({
    prepared: count,
    outcomes: { updated: count },
    states: { open: count },
  })
  await send('POST', `/proposals/${body.id}/discard`)
})

test('an apply that is interrupted between batches continues when it is repeated, and writes nothing twice', {
  tags: 'slow',
}, async () => {
  const lines = products.map(({ sku, description }) => ({ sku, description: `New. ${description}` }))
  const { id } = (await send('POST', '/proposals', lines)).body
  await holding(lastProduct(), async () => {
    const applying = send('POST', `/proposals/${id}/apply`)
    await expect.poll(async () => (await shown(id)).summary.states.applied).toBeGreaterThan(0)
    // Waits until a batch is blocked by the locked product. Before that, the apply would continue without it.
    await expect.poll(waiting).toBeGreaterThan(0)
    await cut()
    expect((await applying).status).toBe(503)
  })
  const { state, summary } = await shown(id)
  expect([state, summary.states.open > 0]).toEqual(['applying', true])
  expect(summary.states.open + summary.states.applied).toBe(count)
  expect((await send('POST', `/proposals/${id}/apply`)).body).toMatchObject({
    state: 'applied',
    summary: { states: { applied: count } },
  })
  expect(await versionsOf(id)).toEqual([{ versions: 1, products: count }])
})

test('fault 24: an apply whose client has disconnected is completed', async () => {
  const { id } = (
    await send(
      'POST',
      '/proposals',
      products.map(({ sku }) => ({ sku, price: 3 })),
    )
  ).body
  await holding(lastProduct(), async () => {
    const controller = new AbortController()
    const hungUp = fetch(`${service.url}/v2/proposals/${id}/apply`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.token}` },
      signal: controller.signal,
    })
    await expect.poll(async () => (await shown(id)).state).toBe('applying')
    controller.abort()
    await expect(hungUp).rejects.toThrow()
  })
  await expect.poll(async () => (await shown(id)).state).toBe('applied')
  expect(await versionsOf(id)).toEqual([{ versions: 1, products: count }])
})

test('fault 27: lines are read in pages of limited size', async () => {
  const value = 'x'.repeat(10_000)
  const attributes = Object.fromEntries(
    Array.from({ length: 6 }, (_, at) => [`a${at}`, `${at} ${value.slice(10)}`]),
  )
  const changed = Object.fromEntries(
    Object.entries(attributes).map(([name, text]) => [name, `y${text.slice(1)}`]),
  )
  const skus = ['H-1', 'H-2', 'H-3', 'H-4', 'H-5', 'H-6']
  for (const sku of skus) await send('POST', '/products', { sku, name: 'N', attributes })
  const { id } = (
    await send(
      'POST',
      '/proposals',
      skus.map((sku) => ({ sku, attributes: changed })),
    )
  ).body
  const read = (query: string) => send('GET', `/proposals/${id}/lines?${query}`)
  expect((await read('page_size=1')).body.results[0].changes['attributes.a0'].after).toBe(changed['a0'])
  const { status, body } = await read('page_size=100')
  expect([status, body.code]).toEqual([400, 'page_too_large'])
  expect((await send('POST', `/proposals/${id}/apply`)).body.state).toBe('applied')
  expect((await read('page_size=1')).body.results[0].changes['attributes.a0'].after).toBe(changed['a0'])
  expect((await read('page_size=100')).body.code).toBe('page_too_large')
})
