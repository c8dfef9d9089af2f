import { beforeAll, expect, test } from 'vitest'
import { cookieOf, signIn } from '../../../test/console-user.ts'
import { connectionUrl, ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type TestService } from '../../../test/harness.ts'
import { commandRunner } from '../../../test/processes/command-runner.ts'
import { countWrongCounts } from '../../catalog/products/product-counts.sql.ts'
import type { ProductDetail } from '../../model/product/product.schema.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { createDemo, type Demo } from './create-demo.ts'

let service: TestService
let url: { DATABASE_URL: string }
let first: Demo
/** The run whose token and passwords are valid. */
let latest: Demo

const { catalogJson } = commandRunner()

beforeAll(async () => {
  const connection = await ownDatabase('demo')
  // Loading pictures would change the products during the tests. Without a store, no picture is loaded.
  service = await startTestService({ media: undefined }, connection)
  url = { DATABASE_URL: connectionUrl(connection) }
  first = await catalogJson(['demo'], url)
  latest = first
})

test('the same 1,000 products are created every time, with every status, type and grade, and only once by concurrent starts', async () => {
  expect(first).toMatchObject({
    project: expect.any(Number),
    locked_project: expect.any(Number),
    products: 1000,
  })
  const other = openDatabase({
    connection: await ownDatabase('demo_at_once'),
    poolSize: 2,
    statementTimeoutSeconds: 0,
  })
  const atOnce = await Promise.all([createDemo(other), createDemo(other)])
  expect(atOnce.map((demo) => demo?.products).sort()).toEqual([0, 1000])

  const contents = sql<Record<'sku' | 'name' | 'status' | 'product_type' | 'grade', unknown>>`
    select sku, name, status, product_type, width_bucket(quality_score, array[40, 60, 75, 90]) as grade
    from products where project_id = ${first.project} order by id`
  const made = await service.database.query(contents)
  expect(made).toHaveLength(1000)
  expect(await other.query(contents)).toEqual(made)
  expect(await other.query(sql`select from projects`)).toHaveLength(4)
  expect(await catalogJson(['project', 'list'], url)).toHaveLength(4)
  const kinds = (name: 'status' | 'product_type' | 'grade') => new Set(made.map((row) => row[name])).size
  expect([kinds('status'), kinds('product_type'), kinds('grade')]).toEqual([4, 5, 5])
  await other.close()
})

test('every page of the demo has data, and its history is consistent', async () => {
  const { database } = service
  const callAs = async ({ email, password }: Demo['sign_ins']['member']) => {
    const cookie = cookieOf(await signIn(service, email, password))
    return async (path: string) => (await service.call(`/console/api${path}`, { headers: { cookie } })).body
  }
  const [member, operator] = [await callAs(latest.sign_ins.member), await callAs(latest.sign_ins.operator)]
  const shown = (path: string) => member(`/projects/${first.project}${path}`)
  const lists = [
    ...['/products?low_stock=true', '/products?in_stock=false', '/products?written_by_prompt=1'],
    ...['/products?quality_rule=attribute_definitions', '/categories?parent__isnull=false', '/attributes'],
    ...['/prompts', '/prompts/1/label-moves', '/prompts/1/outcomes', '/prompts/3/outcomes', '/saved-views'],
    '/overview/people',
    ...[
      '/products?stale_in=fr',
      '/products?missing_in=fr',
      '/products?differs_in=fr',
      '/products?differs_in=ch',
    ],
    ...['open', 'applied', 'partly_applied', 'discarded'].map((state) => `/proposals?state=${state}`),
    ...['created', 'updated', 'unchanged', 'rejected'].map(
      (outcome) => `/proposals/4/lines?outcome=${outcome}`,
    ),
    '/proposals/2/lines?state=conflict',
  ]
  expect((await member('/notifications?unread=true')).results).toMatchObject([
    { kind: 'proposal_waiting', events: 2 },
  ])
  for (const path of lists) expect([path, (await shown(path)).results?.length > 0]).toEqual([path, true])
  expect((await shown('/quality-rules')).progress).toBeNull()
  expect((await shown('/views')).results).toMatchObject([
    { code: 'ch', currency: 'CHF', marked: null },
    { code: 'fr', marked: null },
  ])
  const { days } = await shown('/overview/activity')
  expect(days.some(({ changed }: { changed: number }) => changed > 20)).toBe(true)
  for (const state of ['open', 'approved', 'declined'])
    expect((await operator(`/operator/access-requests?state=${state}`)).results).toHaveLength(1)

  expect(await countWrongCounts(database)).toBe(0)
  const [wrong] = await database.query(sql<Record<string, number>>`
    select
      (select count(*) from products as product where version <> (
        select count(*) from product_history where project_id = product.project_id and product_id = product.id)
        or created_at <> (select min(changed_at) from product_history where project_id = product.project_id and product_id = product.id)
        or updated_at <> (select max(changed_at) from product_history where project_id = product.project_id and product_id = product.id)
      ) as products,
      (select count(*) from product_history as change join product_history as next using (project_id, product_id)
        where next.version = change.version + 1 and next.changed_at <= change.changed_at) as steps,
      (select count(*) from products as product cross join lateral (
          select quantity from inventory_adjustments where project_id = product.project_id and product_id = product.id
          order by created_at desc, id desc limit 1) as last
        where last.quantity <> product.quantity) as stock,
      (select count(*) from product_history as change, jsonb_each(provenance) as own (field, entry)
        join prompt_versions as written on written.prompt_id = (entry ->> 'prompt_id')::bigint
          and concat_ws('.', major, minor, patch) = entry ->> 'version_number'
        where written.project_id = change.project_id and written.created_at >= changed_at) as provenance,
      (select count(*) from project_usage as usage where not exists (
        select from tokens where project_id = usage.project_id and name like 'Sample: %'
          and created_at < usage.day and last_used_at >= usage.day)) as usage,
      (select count(*) from tokens where last_used_at is not null and project_id not in (
        select project_id from project_usage)) as tokens`)
  expect(wrong).toEqual({ products: 0, steps: 0, stock: 0, provenance: 0, usage: 0, tokens: 0 })
})

test('two finished runs have outcomes per version, and the last one has flagged lines to review', async () => {
  const { email, password } = latest.sign_ins.member
  const cookie = cookieOf(await signIn(service, email, password))
  const shown = async (path: string) =>
    (await service.call(`/console/api/projects/${first.project}${path}`, { headers: { cookie } })).body

  const [last, before] = (await shown('/runs')).results
  expect([last, before]).toMatchObject([
    { state: 'done', version_number: '1.1.0', products: 20, done: 18, declined: 1, skipped: 1, failed: 0 },
    { state: 'done', version_number: '1.0.0', products: 20, done: 20, declined: 0, skipped: 0, failed: 0 },
  ])
  expect(last.cost).toMatchObject({ budget: 1, reserved: 0, currency: 'EUR' })
  expect(last.cost.spent).toBeGreaterThan(0.0005)
  expect((await shown(`/runs/${last.id}/calls?state=skipped`)).results).toMatchObject([
    { error: 'missing_variable: attributes.material', cost: 0 },
  ])

  const [proposalId] = last.proposals
  expect(await shown(`/proposals/${proposalId}`)).toMatchObject({
    ...{ state: 'open', origin: 'run', run: last.id },
    summary: { states: { open: 10, applied: 7, discarded: 1 } },
  })
  const flagged = async (flag: string) =>
    (await shown(`/proposals/${proposalId}/lines?state=open&flag=${flag}`)).results.length
  expect(
    await Promise.all(['same_text', 'number_not_in_source', 'new_link', 'new_markup'].map(flagged)),
  ).toEqual([2, 1, 1, 1])

  const { results: versions } = await shown(`/prompts/${last.prompt}/outcomes`)
  expect(versions.toReversed().map(({ models }: { models: unknown[] }) => models[0])).toMatchObject([
    { model: 'sample-writer', lines: 18, accepted: 5, edited: 2, rejected: 1 },
    { model: 'sample-writer', lines: 20, accepted: 9, edited: 5, rejected: 6 },
  ])
  expect((await shown('/ai-providers')).results ?? []).toEqual([])
  expect(await service.database.query(sql`select from jobs where kind = 'prompt.run'`)).toEqual([])
})

test('a second run replaces the token and passwords but ends no session, and the audit trail records it', async () => {
  const { email, password } = first.sign_ins.operator
  const cookie = cookieOf(await signIn(service, email, password))

  const second = (await createDemo(service.database)) as Demo
  latest = second
  expect([first.products, second.products]).toEqual([1000, 0])
  const status = async (token: string) => (await service.call('/v2/project', { token })).status
  expect([await status(first.token), await status(second.token)]).toEqual([401, 200])
  expect((await signIn(service, email, password)).status).toBe(401)
  const unbound = await service.call('/v2/products?unbound=true', { token: second.token })
  expect(unbound.body).toMatchObject({ count: 0 })

  const { status: signedIn, body } = await service.call('/console/api/operator/audit', {
    headers: { cookie },
  })
  expect(signedIn).toBe(200)
  const lines: { actor: string; action: string }[] = body.results.toReversed()
  expect(lines.map(({ action }) => action)).toEqual([
    ...['project.create', 'project.create', 'token.create', 'token.create', 'token.create', 'token.create'],
    ...['run.start', 'run.start'],
    ...['project.create', 'access_request.approve', 'project.create', 'access_request.decline'],
    ...['user.create', 'user.create', 'token.create'],
    ...['user.reset_password', 'user.reset_password', 'token.revoke', 'token.create'],
  ])
  // A member of the demo project started the runs.
  const others = lines.filter(({ action }) => action !== 'run.start')
  expect(new Set(others.map(({ actor }) => actor))).toEqual(new Set(['demo']))
})

test('references between demo products match their content', async () => {
  const headers = { authorization: `Bearer ${latest.token}` }
  const exported = await fetch(`${service.url}/v2/products/export?format=ndjson`, { headers })
  const products = (await exported.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ProductDetail)
  expect(products).toHaveLength(1000)
  const bySku = new Map(products.map((product) => [product.sku, product]))
  const variants = Map.groupBy(products, ({ parent }) => parent?.sku)
  const parents = products.filter(({ product_type }) => product_type === 'configurable')
  const values = ({ sku, variant_axes }: (typeof parents)[0]) =>
    (variants.get(sku) ?? []).map(({ attributes }) => variant_axes.map((axis) => attributes[axis]))
  expect(parents.filter((parent) => values(parent).length < 2 || parent.variant_axes.length === 0)).toEqual(
    [],
  )
  expect(parents.filter((parent) => values(parent).flat().includes(undefined))).toEqual([])

  const apart = ({ components }: (typeof products)[0]) =>
    components
      .filter(({ choice, default: isDefault }) => !choice || isDefault)
      .reduce((sum, { sku = '', quantity = 1 }) => sum + quantity * (bySku.get(sku)?.price ?? Number.NaN), 0)
  const bundles = products.filter(({ product_type, price }) => product_type === 'bundle' && price !== null)
  expect(bundles.length).toBeGreaterThan(30)
  for (const bundle of bundles) {
    const share = (bundle.price as number) / apart(bundle)
    expect([bundle.sku, share > 0.8 && share < 0.95]).toEqual([bundle.sku, true])
  }
  const groups = products.filter(({ product_type }) => product_type === 'grouped')
  expect(groups.every(({ components }) => components.length > 1)).toBe(true)
})
