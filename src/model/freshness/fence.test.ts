import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { untilPrepared } from '../../../test/prepared-proposal.ts'
import { registeredRoutes } from '../../../test/requests/registered-routes.ts'
import { mergeProductCounts, repairCounts } from '../../catalog/products/product-counts.sql.ts'
import { expireProposals } from '../../catalog/proposals/expire-proposals.ts'
import { applyDefaultRules } from '../../catalog/quality/apply-default-rules.ts'
import { scoreProject } from '../../catalog/quality/apply-rulesets.ts'
import { openRulesets } from '../../catalog/rulesets/rulesets.ts'
import { rebuildReferences } from '../../catalog/structure/wrong-references.sql.ts'
import { pictureKind } from '../../operations/demo/demo-pictures.ts'
import { eraseProduct } from '../../operations/erase/erase-product.ts'
import { jobEnds } from '../../operations/jobs/job-ends.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { requestJob } from '../../platform/jobs/job.sql.ts'
import { defaultRulesVersion } from '../quality/default-rules.ts'
import { type Fence, fenceColumns, fenceHead } from './fence.sql.ts'

/*
 * A stored response is dropped when the fence of its project moves. So every write that changes what a cached response shows must move
 * the fence. A new route or job kind needs an entry below.
 */

const { routes: registered } = await registeredRoutes()

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  const products = [
    { sku: 'A', name: 'A' },
    { sku: 'B', name: 'B' },
    { sku: 'V', name: 'V' },
  ]
  await shop.call('/v2/products/bulk', { method: 'POST', body: products })
})

/** The fence of the shop, and its numbered and unnumbered events together, because the background numbers them. */
async function readFence(): Promise<string> {
  const [row] = await service.database.query(sql<Fence & { ruleset: number; events: number }>`
    select ${fenceColumns(sql`0::bigint`)}, project.ruleset, (
      select count(*) from (
        select key from event_feed where project_id = project.id
        union all select key from event_outbox where project_id = project.id) as event) as events
    from projects as project ${fenceHead} where project.id = ${shop.project}`)
  return `${row?.server} ${row?.unrecorded} ${row?.ruleset} ${row?.events}`
}

/** A digest of everything that cached responses show. */
async function readShown(): Promise<string> {
  const rows = await service.database.query(sql<{ digest: string }>`
    select concat_ws(' ', ${sql`(select sum(hashtextextended(row(own.*)::text, 0)) from products as own where project_id = ${shop.project})`},
      (select sum(hashtextextended(row(own.*)::text, 0)) from categories as own where project_id = ${shop.project}),
      (select sum(hashtextextended(row(product_id, kind, reference_id, reference_sku)::text, 0)) from product_references where project_id = ${shop.project}),
      (select sum(hashtextextended(row(own.*)::text, 0)) from product_categories as own where project_id = ${shop.project}),
      (select sum(hashtextextended(row(own.*)::text, 0)) from prompt_versions as own where project_id = ${shop.project}),
      (select ruleset || currency from projects where id = ${shop.project})) as digest`)
  return rows[0]?.digest ?? ''
}

/** Runs a write, and checks that it changes what is shown, and moves the fence. */
async function expectMove<Result>(write: () => Promise<Result>): Promise<Result> {
  const before = { shown: await readShown(), fence: await readFence() }
  const result = await write()
  expect(await readShown(), 'the write changes nothing').not.toBe(before.shown)
  expect(await readFence(), 'the fence did not move').not.toBe(before.fence)
  return result
}

const sent = new Set<string>()

async function send(method: string, route: string, names: Record<string, unknown> = {}, body?: unknown) {
  sent.add(`${method} ${route}`)
  const path = route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(names[name])))
  const response = await shop.call(`/v2${path}`, { method, ...(body !== undefined && { body }) })
  expect(response.status, `${method} ${path} ${response.text.slice(0, 500)}`).toBeLessThan(300)
  return response.body
}
const moves = (...request: Parameters<typeof send>) => expectMove(() => send(...request))
const quiet = send

async function changeProducts() {
  const { id } = await moves('POST', '/products', {}, { sku: 'N', name: 'N', categories: [{ name: 'C' }] })
  await moves('PATCH', '/products/:id', { id }, { price: 1 })
  await moves('PATCH', '/products/:id', { id }, { inventory: { reserved: 1 } })
  await moves('PUT', '/products/:id', { id }, { sku: 'N', name: 'M' })
  await moves('PUT', '/products/by-sku/:sku', { sku: 'N' }, { name: 'C', categories: [{ name: 'C' }] })
  await moves('POST', '/products/bulk', {}, [
    { sku: 'A', price: 2 },
    { sku: 'O', name: 'O' },
  ])
  await moves('POST', '/products/bulk', {}, [{ sku: 'A', inventory: { reserved: 2 } }])
  await moves('POST', '/products/:id/revert', { id }, { version: 1 })
  await moves('POST', '/products/:id/inventory/adjust', { id }, { delta: 1, reason: 'Count' })
  // The variant shows the ID of its parent, which is created later.
  await moves(
    'POST',
    '/products',
    {},
    { sku: 'W', name: 'W', parent: { sku: 'P' }, attributes: { size: 'S' } },
  )
  await moves(
    'POST',
    '/products',
    {},
    { sku: 'P', name: 'P', product_type: 'configurable', variant_axes: ['size'] },
  )
}

async function changeCategories() {
  const { id: category } = await moves('POST', '/categories', {}, { name: 'D' })
  await moves('PATCH', '/categories/:id', { id: category }, { name: 'E' })
  const other = await moves('POST', '/categories', {}, { name: 'F' })
  await moves('POST', '/products/bulk', {}, [{ sku: 'A', categories: [{ name: 'E' }] }])
  await moves('POST', '/categories/:id/merge', { id: category }, { into: other.id })
  const unused = await moves('POST', '/categories', {}, { name: 'G' })
  await moves('DELETE', '/categories/:id', { id: unused.id })
}

async function changeRulesAndPrompts() {
  await moves('POST', '/attributes', {}, { name: 'size', type: 'text' })
  await moves('PATCH', '/attributes/:name', { name: 'size' }, { label: 'Size' })
  await moves('DELETE', '/attributes/:name', { name: 'size' })
  await moves('PUT', '/attributes', {}, { attributes: [{ name: 'watt', type: 'number' }] })
  await moves('PUT', '/views/:code', { code: 'de' }, { label: 'German' })
  await moves('DELETE', '/views/:code', { code: 'de' })
  await moves('PUT', '/quality-rules', {}, { rules: [{ code: 'priced', kind: 'price_present', points: 1 }] })
  await moves('DELETE', '/quality-rules')
  const prompt = await moves('POST', '/prompts', {}, { name: 'P', prompt_text: 'T' })
  await moves('POST', '/prompts/:id/versions', { id: prompt.id }, { prompt_text: 'U' })
  await quiet('PATCH', '/prompts/:id', { id: prompt.id }, { description: 'D' })
}

async function changeProposals() {
  const { id } = await quiet('POST', '/proposals', {}, [{ sku: 'A', price: 7 }])
  await quiet('PATCH', '/proposals/:id/lines/:line', { id, line: 1 }, { patch: { price: 8 } })
  await moves('POST', '/proposals/:id/apply', { id }, {})
  const reverted = await quiet('POST', '/proposals/:id/revert', { id }, {})
  await untilPrepared(service, reverted.id)
  await moves('POST', '/proposals/:id/apply', { id: reverted.id }, {})
  const edits = { filter: 'sku=A', edits: [{ field: 'price', op: 'set', value: 9 }] }
  const filtered = await quiet('POST', '/proposals/from-filter', {}, edits)
  await untilPrepared(service, filtered.id)
  await quiet('POST', '/proposals/:id/discard', { id: filtered.id }, {})
}

/** Routes that write only tables that no cached response shows. */
const elsewhere = new Set([
  // Its tools call the routes.
  'POST /mcp',
  'POST /quality-rules/preview',
  'POST /attributes/preview',
  'POST /prompts/:id/render',
  'PUT /prompts/:id/labels/:label',
  'DELETE /prompts/:id/labels/:label',
  'POST /prompts/:id/runs',
  'POST /runs/:id/continue',
  'POST /runs/:id/pause',
  'POST /runs/:id/cancel',
  'POST /runs/:id/raise',
  'POST /webhooks',
  'PATCH /webhooks/:id',
  'DELETE /webhooks/:id',
  'POST /webhooks/:id/test',
  'POST /webhooks/:id/rotate',
  'POST /webhooks/:id/replay',
  'POST /webhooks/:id/disable',
  'POST /webhooks/:id/enable',
  'POST /webhooks/:id/parked/retry',
  'PUT /ai-providers/:name',
  'DELETE /ai-providers/:name',
  'POST /ai-providers/:name/test',
  'POST /assets',
  'POST /assets/from-url',
  'DELETE /assets/:id',
  'PUT /media-access',
  'POST /saved-views',
  'PATCH /saved-views/:view_id',
  'DELETE /saved-views/:view_id',
  'POST /imports/finished',
  'POST /access-requests',
  'POST /tokens',
  'POST /tokens/:token_id/show',
  'POST /tokens/:token_id/rotate',
  'POST /tokens/:token_id/revoke',
])
/** Accounts, and what operators set, which each request reads with its credentials. */
const aboutAccess =
  /^\/console\/(auth|api\/(sessions|operator|account|notifications|invitations)|api\/projects\/:project_id\/members)\//

test('every write of products, categories, rules, prompts and proposals moves the fence', {
  tags: 'slow',
}, async () => {
  await changeProducts()
  await changeCategories()
  await changeRulesAndPrompts()
  await changeProposals()
  const writes = registered
    .filter(({ method, url }) => !['GET', 'HEAD'].includes(String(method)) && !aboutAccess.test(url))
    .map(
      ({ method, url }) =>
        `${method} ${url.replace(/^\/(api|v2|console\/api\/projects\/:project_id)(?=\/)/, '')}`,
    )
  expect([...new Set(writes)].filter((route) => !sent.has(route) && !elsewhere.has(route))).toEqual([])
})

const unlimited = () => new AbortController().signal

/** Outdates every score of the shop, and starts a walk that scores them. A walk that began before it records nothing. */
async function outdateScores(): Promise<void> {
  await service.database.transaction(async (tx) => {
    await tx.query(sql`
      insert into scoring_jobs as job (project_id, version) select id, ruleset from projects where id = ${shop.project}
      on conflict (project_id) do update set walks = job.walks + 1, after_id = 0, outdated = 0, due_at = clock_timestamp()`)
    await tx.query(sql`
      update products set quality_score = 1, quality_ruleset = -1 where project_id = ${shop.project}`)
  })
}

const jobs: Record<string, (() => Promise<unknown>) | string> = {
  'quality.score': async () => {
    await quiet('PUT', '/quality-rules', {}, { rules: [{ code: 'named', kind: 'price_present', points: 1 }] })
    const rulesets = openRulesets(service.database)
    const score = () =>
      scoreProject(
        service.database,
        rulesets,
        shop.project,
        { signal: unlimited(), milliseconds: 500 },
        { settleSeconds: 0 },
      )
    // The background may compute them first.
    await expectMove(async () => {
      await outdateScores()
      await score()
      await expect
        .poll(() => service.database.query(sql`select from products where ${own()} and quality_ruleset < 0`))
        .toEqual([])
    })
  },
  upkeep: async () => {
    const rulesets = openRulesets(service.database)
    await service.database.transaction(async (tx) => {
      await tx.query(sql`delete from applied_quality_rules where version = ${defaultRulesVersion}`)
      await tx.query(
        sql`update products set quality_rules_version = 0, quality_score = 2 where project_id = ${shop.project}`,
      )
    })
    await expectMove(() => applyDefaultRules(service.database.jobs, rulesets, unlimited()))
  },
  'proposal.prepare': 'the preparation writes lines of proposals; applying them is tested above',
  'prompt.run': 'a run creates only proposals; applying them is tested above',
  'webhook.deliver': 'writes only tables of webhooks',
  'media.thumbnail': 'products show the same URLs in every state of a file',
  'media.folder': 'removes files of deleted projects',
  'demo.pictures': async () => {
    const media = [{ url: 'https://images.example/out-ten/dome-tent-sand-1.jpg' }]
    await quiet('POST', '/products/bulk', {}, [{ sku: 'T', name: 'T', media }])
    await expectMove(async () => {
      await requestJob(service.database, { projectId: shop.project, kind: pictureKind, key: '' })
      const read = () => shop.call('/v2/products?sku=T&expand=detail')
      await expect.poll(async () => (await read()).body.results[0].media[0].asset).toMatch(/^sha256:/)
    })
  },
  backup: 'reads only',
}

test('every job kind moves the fence, or writes nothing that is shown', async () => {
  expect(Object.keys(jobs).sort()).toEqual(Object.keys(jobEnds).sort())
  for (const run of Object.values(jobs)) if (typeof run !== 'string') await run()
})

test('maintenance that only rearranges rows changes nothing that is shown', async () => {
  const shown = await readShown()
  await mergeProductCounts(service.database.jobs)
  await expireProposals(service.database.jobs, unlimited())
  expect(await readShown()).toBe(shown)
})

test('repairs and erased products move the fence', async () => {
  const fence = await readFence()
  await service.database.transaction(repairCounts)
  const repaired = await readFence()
  expect(repaired).not.toBe(fence)
  const { results } = (await shop.call('/v2/products?sku=V')).body
  await service.database.transaction((tx) => rebuildReferences(tx, shop.project, [results[0].id]))
  expect(await readFence()).not.toBe(repaired)
  await quiet('PATCH', '/products/:id', { id: results[0].id }, { status: 'archived' })
  await expectMove(() => eraseProduct(service.database, { name: 'tester' }, shop.project, results[0].id))
})

/** The statements of an older release, which sets no version. */
function asOlderRelease(write: (tx: Transaction) => Promise<unknown>): Promise<unknown> {
  return service.database.transaction(async (tx) => {
    await tx.query(sql`select set_config('catalog.release', '', true)`)
    return write(tx)
  })
}
const own = () => sql`project_id = ${shop.project}`

test('scores and deletions of an older release move the fence, and its other writes emit events', async () => {
  const scored = sql`quality_score = 3, quality_computed_at = clock_timestamp()`
  await expectMove(() => asOlderRelease((tx) => tx.query(sql`update products set ${scored} where ${own()}`)))
  await expectMove(() =>
    asOlderRelease(async (tx) => {
      const gone = sql`${own()} and product_id in (select id from products where ${own()} and sku = 'B')`
      for (const table of [
        sql`inventory_adjustments`,
        sql`product_history`,
        sql`product_categories`,
        sql`product_references`,
      ])
        await tx.query(sql`delete from ${table} where ${gone}`)
      await tx.query(sql`delete from products where ${own()} and sku = 'B'`)
    }),
  )
})

test('an update of this release that emits an event does not touch the row of its project', async () => {
  const version = async () =>
    (
      await service.database.query(
        sql<{ xmin: string }>`select xmin::text from projects where id = ${shop.project}`,
      )
    )[0]?.xmin
  const before = await version()
  await quiet('POST', '/products/bulk', {}, [
    { sku: 'A', price: 12 },
    { sku: 'A', inventory: { quantity: 4 } },
  ])
  expect(await version()).toBe(before)
})
