import { readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { consoleUser } from '../../../test/console-user.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { drawnPng } from '../../../test/media/drawn-png.ts'
import { uploaded } from '../../../test/media/upload.ts'
import { untilPrepared } from '../../../test/prepared-proposal.ts'
import { registeredRoutes } from '../../../test/requests/registered-routes.ts'
import { expireProposals } from '../../catalog/proposals/expire-proposals.ts'
import { eventTypes } from '../../model/events/event-types.ts'
import { recordEvents } from '../../model/events/record-events.sql.ts'
import { eraseProduct } from '../../operations/erase/erase-product.ts'
import { sql } from '../../platform/database/sql.ts'

let service: TestService
let shop: Tenant
let tokenName: string
let known: number
beforeEach(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  known = 0
  const [row] = await service.database.query(
    sql<{ name: string }>`select name from tokens where id = ${shop.tokenId}`,
  )
  tokenName = row?.name as string
})

/** The last test finds the routes in the calls of this function. */
async function send(method: string, route: string, names: Record<string, unknown> = {}, body?: object) {
  const address = route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(names[name])))
  const response = await shop.call(`/v2${address}`, { method, ...(body && { body }) })
  expect(response.status, `${method} ${address} ${response.text.slice(0, 500)}`).toBeLessThan(300)
  return response.body
}
const get = async (address: string) => (await shop.call(`/v2${address}`)).body

type EmittedEvent = {
  key: string
  type: string
  actor: string
  source: string
  id: number
  version: number | null
  // biome-ignore lint/suspicious/noExplicitAny: tests read objects of every kind
  before: any
  // biome-ignore lint/suspicious/noExplicitAny: as above
  after: any
}

/** All events since the last call, numbered or not. */
async function newEvents(): Promise<EmittedEvent[]> {
  const events = await service.database.query(sql<EmittedEvent>`
    select row.key, row.type, row.actor, row.source, changed.id, changed.version,
           changed.details -> 'before' as before, changed.details -> 'after' as after
    from (
      select 1 as part, number as place, key, type, actor, source, object_ids, versions, details from event_feed
      where project_id = ${shop.project}
      union all
      select 2, id, key, type, actor, source, object_ids, versions, details from event_outbox where project_id = ${shop.project}
    ) as row
    cross join lateral unnest(row.object_ids, row.versions, row.details) with ordinality as changed (id, version, details, position)
    order by row.part, row.place, changed.position`)
  const fresh = events.slice(known)
  known = events.length
  return fresh
}
const types = (events: EmittedEvent[]) => events.map(({ type }) => type)
const by = (type: string, source = 'api') => ({ type, actor: tokenName, source })

test('categories: created, renamed, moved, merged and deleted, each as the API shows it; a write without a change emits nothing', {
  tags: 'slow',
}, async () => {
  const created = await send('POST', '/categories', {}, { name: 'Lamps' })
  const { id } = created
  expect(await newEvents()).toMatchObject([{ ...by('category.created'), id, before: null, after: created }])

  const renamed = await send('PATCH', '/categories/:id', { id }, { name: 'Lights', position: 2 })
  expect(await newEvents()).toMatchObject([
    { ...by('category.updated'), id, before: created, after: renamed },
  ])
  await send('PATCH', '/categories/:id', { id }, { name: 'Lights' })
  expect(await newEvents()).toEqual([])

  const child = await send('POST', '/categories', {}, { name: 'Bulbs', parent: id })
  const other = await send('POST', '/categories', {}, { name: 'Light', position: 1 })
  await send('POST', '/products', {}, { sku: 'LAMP', name: 'Lamp', categories: [id] })
  await send('POST', '/attributes', {}, { name: 'watt', type: 'number', required_for: { categories: [id] } })
  const rule = { code: 'sorted', kind: 'price_present', points: 1, categories: [id] }
  await send('PUT', '/quality-rules', {}, { rules: [rule] })
  await newEvents()

  await send('POST', '/categories/:id/merge', { id }, { into: other.id })
  const merged = await newEvents()
  expect(merged).toMatchObject([
    by('product.updated'),
    { ...by('category.updated'), id: child.id, before: child, after: await listed(child.id) },
    { ...by('attribute.updated'), after: { name: 'watt', required_for: { categories: [other.id] } } },
    { ...by('quality_rules.updated'), after: { rules: [{ code: 'sorted', categories: [other.id] }] } },
    { ...by('category.deleted'), id, before: renamed, after: null },
  ])
  expect((await shop.call(`/v2/categories/${other.id}`, { method: 'DELETE' })).status).toBe(409)
  expect(await newEvents()).toEqual([])
  const shown = await listed(child.id)
  await send('DELETE', '/categories/:id', { id: child.id })
  expect(await newEvents()).toMatchObject([
    { ...by('category.deleted'), id: child.id, before: shown, after: null },
  ])
})

const listed = async (...ids: number[]) => {
  const { results } = await get(`/categories?id__in=${ids.join()}`)
  return ids.length === 1 ? results[0] : results
}

test('categories created by a product write share one event record, parents first, with the author of the write', async () => {
  const categories = [{ path: ['Home', 'Kitchen', 'Pans'] }, { path: ['Home', 'Kitchen', 'Pots'] }]
  const { id } = await send('POST', '/products', {}, { sku: 'PAN', name: 'Pan', categories })
  const created = await newEvents()
  expect(types(created)).toEqual([...Array(4).fill('category.created'), 'product.created'])
  const fresh = created.slice(0, 4)
  expect(new Set(fresh.map(({ key }) => key)).size).toBe(1)
  expect(fresh[0]).toMatchObject({ ...by('category.created'), before: null, after: { path: ['Home'] } })
  expect(fresh.map(({ after }) => after)).toEqual(await listed(...fresh.map((one) => one.id)))

  const next = (name: string) => [{ name: 'Pans' }, { path: ['Home', name] }]
  await send('PATCH', '/products/:id', { id }, { categories: next('Hall') })
  await send('PUT', '/products/:id', { id }, { sku: 'PAN', name: 'Pan', categories: next('Bath') })
  await send('PUT', '/products/by-sku/:sku', { sku: 'PAN' }, { name: 'Pan', categories: next('Attic') })
  await send('POST', '/products/bulk', {}, [{ sku: 'PAN', categories: next('Cellar') }])
  await send('POST', '/products/bulk', {}, [{ sku: 'PAN', price: 3 }])
  await send('POST', '/products/bulk?dry_run=true', {}, [{ sku: 'PAN', categories: next('Garage') }])
  expect((await newEvents()).map(({ type, source, after }) => [type, source, after?.name])).toEqual([
    ...['Hall', 'Bath', 'Attic'].flatMap((name) => [
      ['category.created', 'api', name],
      ['product.updated', 'api', undefined],
    ]),
    ['category.created', 'bulk', 'Cellar'],
    ['product.updated', 'bulk', undefined],
    ['product.updated', 'bulk', undefined],
  ])
  await send('POST', '/products/:id/inventory/adjust', { id }, { delta: 4, reason: 'Delivery' })
  await send('POST', '/products/:id/revert', { id }, { version: 1 })
  expect(types(await newEvents())).toEqual(['product.stock_changed', 'product.updated'])
})

const priced = { code: 'priced', kind: 'price_present', points: 1 }

test('events of console users have their email as the actor', async () => {
  const member = await consoleUser(service, { projects: [shop.project] })
  const path = `/console/api/projects/${shop.project}/categories`
  const { body } = await member.call(path, { method: 'POST', body: { name: 'Console' } })
  expect(await newEvents()).toMatchObject([
    { type: 'category.created', actor: member.email, source: 'console', id: body.id, after: body },
  ])
})

test('attribute definitions and quality rules: each change with the version of the ruleset', async () => {
  const watt = await send('POST', '/attributes', {}, { name: 'watt', type: 'number' })
  await newEvents()
  const { ruleset, rules } = await get('/quality-rules')
  const color = await send('POST', '/attributes', {}, { name: 'color', type: 'text' })
  const place = (more: number) => ({ id: 0, version: ruleset + more })
  expect(await newEvents()).toMatchObject([
    { ...by('attribute.created'), ...place(1), before: null, after: color },
  ])
  const changed = await send('PATCH', '/attributes/:name', { name: 'color' }, { label: 'Color' })
  await send('PATCH', '/attributes/:name', { name: 'color' }, { label: 'Color' })
  expect(await newEvents()).toMatchObject([
    { ...by('attribute.updated'), ...place(2), before: color, after: changed },
  ])

  const set = { attributes: [color, { name: 'brand', type: 'text' }] }
  await send('PUT', '/attributes?dry_run=true', {}, set)
  expect(await newEvents()).toEqual([])
  await send('PUT', '/attributes', {}, set)
  await send('PUT', '/attributes', {}, set)
  expect(await newEvents()).toMatchObject([
    { ...by('attribute.deleted'), ...place(3), before: watt, after: null },
    { ...by('attribute.created'), ...place(3), before: null, after: await get('/attributes/brand') },
    { ...by('attribute.updated'), ...place(3), before: changed, after: color },
  ])
  await send('DELETE', '/attributes/:name', { name: 'color' })
  expect(await newEvents()).toMatchObject([
    { ...by('attribute.deleted'), ...place(4), before: color, after: null },
  ])

  const put = await send('PUT', '/quality-rules', {}, { rules: [priced] })
  await send('PUT', '/quality-rules', {}, { rules: [priced] })
  const next = { ruleset: ruleset + 5, rules: put.rules }
  expect(await newEvents()).toMatchObject([
    { ...by('quality_rules.updated'), ...place(5), before: { ruleset: ruleset + 4, rules }, after: next },
  ])
  await send('DELETE', '/quality-rules')
  const after = { ruleset: ruleset + 6, rules: (await get('/quality-rules')).rules }
  expect(await newEvents()).toMatchObject([
    { ...by('quality_rules.updated'), ...place(6), before: next, after },
  ])
})

test('views: each change once', async () => {
  const german = { label: 'German', locale: 'de-DE' }
  await send('PUT', '/views/:code', { code: 'de' }, german)
  await send('PUT', '/views/:code', { code: 'de' }, german)
  await send('PUT', '/views/:code', { code: 'de' }, { ...german, label: 'Deutsch' })
  await send('DELETE', '/views/:code', { code: 'de' })
  const [created, updated] = [{ code: 'de', label: 'German' }, { label: 'Deutsch' }]
  expect(await newEvents()).toMatchObject([
    { ...by('view.created'), before: null, after: created },
    { ...by('view.updated'), before: created, after: updated },
    { ...by('view.deleted'), before: updated, after: null },
  ])
})

test('prompts, their versions and labels; a long text is left out and marked', async () => {
  const prompt = await send('POST', '/prompts', {}, { name: 'Titles', prompt_text: 'A title for {{name}}' })
  const { id } = prompt
  const changed = await send('PATCH', '/prompts/:id', { id }, { description: 'Of products' })
  await send('PATCH', '/prompts/:id', { id }, { description: 'Of products' })
  const version = await send('POST', '/prompts/:id/versions', { id }, { prompt_text: 'Short: {{name}}' })
  await send('POST', '/prompts/:id/versions', { id }, { prompt_text: 'Short: {{name}}' })
  expect(await newEvents()).toMatchObject([
    { ...by('prompt.created'), id, before: null, after: prompt },
    { ...by('prompt.updated'), id, before: prompt, after: changed },
    { ...by('prompt.version_created'), id, before: null, after: version },
  ])
  const at = { id, label: 'production' }
  const first = await send('PUT', '/prompts/:id/labels/:label', at, { version_number: '1.0.0' })
  await send('PUT', '/prompts/:id/labels/:label', at, { version_number: '1.0.0' })
  const second = await send('PUT', '/prompts/:id/labels/:label', at, { version_number: '1.1.0' })
  await send('DELETE', '/prompts/:id/labels/:label', at)
  expect(await newEvents()).toMatchObject([
    { ...by('prompt.label_moved'), id, before: null, after: first },
    { ...by('prompt.label_moved'), id, before: first, after: second },
    { ...by('prompt.label_moved'), id, before: second, after: null },
  ])
  const { prompt_text: _text, ...rest } = await send(
    'POST',
    '/prompts/:id/versions',
    { id },
    { prompt_text: 'é'.repeat(20_000), message: 'Longer' },
  )
  expect((await newEvents())[0]?.after).toEqual({ ...rest, left_out: ['prompt_text'] })
})

const apply = (id: number, body = {}) => send('POST', '/proposals/:id/apply', { id }, body)
const createP1 = async () => {
  await send('POST', '/products', {}, { sku: 'P1', name: 'One' })
  await newEvents()
}
const propose = (...lines: object[]) => send('POST', '/proposals', {}, lines)

test('a proposal emits an event for each new state, whoever caused it', async () => {
  const [one, two] = [
    { sku: 'P1', name: 'One' },
    { sku: 'P2', name: 'Two' },
  ]
  const opened = await propose(one, two)
  const { id } = opened
  const partly = await apply(id, { lines: [1] })
  const applied = await apply(id)
  await apply(id)
  const events = await newEvents()
  expect(Object.keys(events[0]?.after).sort()).toEqual(Object.keys(opened).sort())
  expect(events).toMatchObject([
    { ...by('proposal.opened'), id, before: null, after: opened },
    by('product.created'),
    { ...by('proposal.updated'), id, before: opened, after: partly },
    by('product.created'),
    { ...by('proposal.applied'), id, before: partly, after: applied },
  ])

  const unwanted = await propose({ sku: 'P3', name: 'Three' })
  const discarded = await send('POST', '/proposals/:id/discard', { id: unwanted.id }, {})
  await send('POST', '/proposals/:id/discard', { id: unwanted.id }, {})
  const wrong = await propose({ sku: 'P4', name: 'Four', price: -1 })
  expect(await newEvents()).toMatchObject([
    by('proposal.opened'),
    { ...by('proposal.discarded'), id: unwanted.id, before: unwanted, after: discarded },
    { ...by('proposal.failed'), id: wrong.id, before: null, after: wrong },
  ])

  const contested = await propose({ sku: 'P1', price: 1 }, { sku: 'P2', price: 2 })
  await send('POST', '/products/bulk', {}, [{ sku: 'P1', price: 7 }])
  await newEvents()
  const rest = await apply(contested.id)
  expect(await newEvents()).toMatchObject([
    by('product.updated'),
    { ...by('proposal.partly_applied'), id: contested.id, before: contested, after: rest },
  ])
})

test('preparation and expiry of proposals are events of the service itself', { tags: 'slow' }, async () => {
  await createP1()
  const edits = [{ field: 'price', op: 'set', value: 5 }]
  const filtered = await send('POST', '/proposals/from-filter', {}, { filter: 'sku=P1', edits })
  const ready = await prepared(filtered.id)
  await apply(filtered.id)
  const inverse = await send('POST', '/proposals/:id/revert', { id: filtered.id }, {})
  const open = await prepared(inverse.id)
  expect(await newEvents()).toMatchObject([
    { ...by('proposal.opened', 'service'), id: filtered.id, before: null, after: ready },
    by('product.updated'),
    by('proposal.applied'),
    { ...by('proposal.opened', 'service'), id: inverse.id, before: null, after: open },
  ])
  await service.database.transaction((tx) =>
    tx.query(sql`
      update proposals set expires_at = clock_timestamp() where project_id = ${shop.project} and id = ${inverse.id}`),
  )
  const late = await get(`/proposals/${inverse.id}`)
  await expireProposals(service.database, new AbortController().signal)
  const after = await get(`/proposals/${inverse.id}`)
  const expired = { type: 'proposal.expired', actor: 'service', source: 'service', id: inverse.id }
  expect(await newEvents()).toMatchObject([{ ...expired, before: late, after }])
})

const prepared = async (id: number) => {
  await untilPrepared(service, id)
  return get(`/proposals/${id}`)
}

test('a reverted proposal emits an update with the proposal that reverts it', async () => {
  await createP1()
  const { id } = await propose({ sku: 'P1', price: 3 })
  const before = await apply(id)
  const inverse = await send('POST', '/proposals/:id/revert', { id }, {})
  await prepared(inverse.id)
  await newEvents()
  const undone = await apply(inverse.id)
  const after = { ...before, reverted_by: { id: inverse.id, fully: true } }
  expect(await newEvents()).toMatchObject([
    by('product.updated'),
    { ...by('proposal.applied'), id: inverse.id, after: undone },
    { ...by('proposal.updated'), id, before, after },
  ])
})

test('a proposal that loses a line to an erased product emits an update with its remaining lines', async () => {
  await createP1()
  const { id } = await send('POST', '/products', {}, { sku: 'OLD', name: 'Old', status: 'archived' })
  const both = await propose({ sku: 'OLD', price: 1 }, { sku: 'P1', price: 1 })
  const alone = await propose({ sku: 'OLD', price: 2 })
  await newEvents()
  await eraseProduct(service.database, { name: 'eraser' }, shop.project, id)
  const now = async (proposal: { id: number }) => get(`/proposals/${proposal.id}`)
  const cli = { actor: 'eraser', source: 'cli' }
  expect(await newEvents()).toMatchObject([
    { type: 'proposal.updated', ...cli, before: both, after: await now(both) },
    { type: 'proposal.discarded', ...cli, before: alone, after: await now(alone) },
  ])
})

test('concurrent changes of one object emit events in their order; concurrent applies emit one event', async () => {
  const category = await send('POST', '/categories', {}, { name: 'Busy' })
  const definition = await send('POST', '/attributes', {}, { name: 'busy', type: 'text' })
  const { id } = await propose({ sku: 'P5', name: 'Five' }, { sku: 'P6', name: 'Six' })
  await newEvents()
  await Promise.all([
    apply(id),
    apply(id),
    ...Array.from({ length: 8 }, async (_, turn) => {
      await send('PATCH', '/categories/:id', { id: category.id }, { name: `Busy ${turn}` })
      await send('PATCH', '/attributes/:name', { name: 'busy' }, { label: `Busy ${turn}` })
    }),
  ])
  const events = await newEvents()
  expect(types(events).filter((type) => type === 'proposal.applied')).toHaveLength(1)
  for (const [type, start] of [
    ['category.updated', category],
    ['attribute.updated', definition],
  ]) {
    const own = events.filter((event) => event.type === type)
    expect(own).toHaveLength(8)
    expect(own.map(({ before }) => before)).toEqual([start, ...own.slice(0, -1).map(({ after }) => after)])
  }
})

test('a change of many objects is split into several limited records, in the order of the objects', async () => {
  const objects = Array.from({ length: 1_001 }, (_, index) => ({
    id: index,
    after: { name: `${index}`, text: 'x'.repeat(index === 0 ? 30_000 : 1) },
  }))
  await service.database.transaction((tx) =>
    recordEvents(tx, shop.project, { type: 'category.created', actor: 'tester', source: 'api', objects }),
  )
  const events = await newEvents()
  expect(events.map(({ id }) => id)).toEqual(objects.map(({ id }) => id))
  expect(Map.groupBy(events, ({ key }) => key).size).toBe(3)
  expect(events[0]?.after).toEqual({ name: '0', left_out: ['text'] })
})

test('a file emits no event until a product shows it', async () => {
  const { id } = await uploaded(shop, drawnPng())
  await send('DELETE', '/assets/:id', { id })
  expect(await newEvents()).toEqual([])
})

test('an edited line emits an event with the revision of its proposal', async () => {
  const lines = [{ sku: 'EDITED', name: 'Edited', price: 1 }]
  const { id } = await send('POST', '/proposals', {}, lines)
  await send('PATCH', '/proposals/:id/lines/:line', { id, line: 1 }, { patch: { price: 2 } })
  expect(await newEvents()).toMatchObject([
    by('proposal.opened'),
    { ...by('proposal.updated'), id, before: { revision: 1 }, after: { revision: 2 } },
  ])
})

/** Routes with these scopes change nothing that readers of events see, or src/catalog/runs/runs.test.ts tests their events. */
const silent: (string | undefined)[] = ['webhooks:manage', 'ai:manage', 'ai:run']

test('previews emit no event', async () => {
  await send('POST', '/quality-rules/preview', {}, { rules: [priced] })
  await send('POST', '/attributes/preview', {}, { name: 'color', type: 'text' })
  const { id } = await send('POST', '/prompts', {}, { name: 'Titles', prompt_text: 'A title for {{name}}' })
  await newEvents()
  await send('POST', '/prompts/:id/render', { id }, { variables: { name: 'A' } })
  expect(await newEvents()).toEqual([])
})

test('this file covers every route that writes and every event type', async () => {
  const source = readFileSync(import.meta.filename, 'utf8')
  const sent = source
    .matchAll(/send\(\s*'(\w+)',\s*'([^'?]+)/g)
    .map(([, method, path]) => `${method} ${path}`)
  // Fetching a file stores it like an upload.
  const used = new Set([...sent, 'POST /assets', 'POST /assets/from-url'])
  const { routes } = await registeredRoutes()
  const writing = routes.filter(
    ({ method, url, scope }) =>
      // The tools of agents call these routes.
      url.startsWith('/v2/') &&
      url !== '/v2/mcp' &&
      !['GET', 'HEAD'].includes(method) &&
      !silent.includes(scope),
  )
  expect([...used].sort()).toEqual(writing.map(({ method, url }) => `${method} ${url.slice(3)}`).sort())
  const own = [...eventTypes.keys()].filter((type) => !/^(webhook|run)\./.test(type))
  expect(own.filter((type) => !source.includes(`'${type}'`))).toEqual([])
})
