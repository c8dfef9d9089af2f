import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { scaled } from '../../../test/faults/scale.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import {
  type Catalog,
  expectHistory,
  expectMerged,
  expectProvenance,
  expectSameFields,
  expectSummary,
  readCatalog,
} from '../../../test/models/proposal-model.ts'
import { linkKinds } from '../../model/structure/link-kinds.ts'
import { eraseProduct } from '../../operations/erase/erase-product.ts'
import { sql } from '../../platform/database/sql.ts'
import { countWrongCounts } from '../products/product-counts.sql.ts'
import { prepareProposal } from './prepare-proposals.ts'
import type { ProposalLine } from './proposal.schema.ts'
import { prepareReverts } from './revert/prepare-reverts.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({}, await ownDatabase('proposals'))
}, 60_000)

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? scaled(2, 50))

/* Few SKUs and few values, so that what is proposed and what others do collide, and are the same at times. */
const among = (...skus: number[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...skus) }, { weight: 1, arbitrary: fc.nat(9) })
const text = fc.constantFrom('', 'One', 'Two')
const category = fc.constantFrom<object>(
  { name: 'A' },
  { name: 'B' },
  { path: ['A', 'C'] },
  { path: ['D', 'E'] },
)
const value = fc.constantFrom('red', 'blue', 1, null, ['red', 'blue'])
const attributes = fc.record({ color: value, size: value, constructor: value }, { requiredKeys: [] })
const links = fc.record(
  Object.fromEntries(linkKinds.map((kind) => [kind, fc.array(fc.nat(9), { maxLength: 2 })])),
  { requiredKeys: [] },
)
const inventory = fc.record(
  {
    quantity: fc.nat(3),
    reserved: fc.nat(2),
    tracked: fc.boolean(),
    backorders: fc.boolean(),
    low_stock_threshold: fc.option(fc.nat(2)),
  },
  { requiredKeys: [] },
)
const simple = {
  name: fc.constantFrom('One', 'Two'),
  price: fc.option(fc.nat(3)),
  description: text,
  short_description: text,
  status: fc.constantFrom('active', 'inactive'),
  attributes,
  categories: fc.array(category, { maxLength: 2 }),
  media: fc.array(fc.constantFrom({ url: 'https://a.example/1' }, { url: 'https://a.example/2' }), {
    maxLength: 2,
  }),
  links,
  inventory,
}
const fieldNames = Object.keys(simple) as (keyof typeof simple)[]
/** Changes of one to four fields, mostly for the same few products. */
const some = fc
  .tuple(
    fc.constantFrom(4, 4, 4, 4, 2, 2, 7, 7, 1, 0, 3, 5, 8),
    fc.record(simple),
    fc.subarray(fieldNames, { minLength: 1, maxLength: 4 }),
  )
  .map(([sku, all, names]) => ({ sku, ...Object.fromEntries(names.map((name) => [name, all[name]])) }))
const content = fc.oneof(
  { weight: 10, arbitrary: some },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        sku: among(0, 1, 7),
        name: simple.name,
        product_type: fc.constantFrom('configurable', 'simple'),
        variant_axes: fc.constantFrom([], ['color']),
      },
      { requiredKeys: ['sku', 'name'] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      { sku: among(2, 3, 4, 8), name: simple.name, parent: fc.option(among(0, 1, 7)), attributes, inventory },
      { requiredKeys: ['sku', 'parent'] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      sku: among(5, 6),
      product_type: fc.constantFrom('bundle', 'grouped'),
      components: fc.array(among(2, 3, 4, 8), { maxLength: 2 }),
    }),
  },
)
type Given = { sku: number; parent?: number | null; components?: number[]; links?: Record<string, number[]> }
type Content = Given & Record<string, unknown>

const one = <Act extends string>(weight: number, act: Act) => ({
  weight,
  arbitrary: fc.record({
    act: fc.constant(act),
    content,
    flag: fc.boolean(),
    line: fc.nat(7),
    values: fc.record(simple),
  }),
})
const edit = fc.oneof(
  one(10, 'write'),
  one(12, 'write what a line is about'),
  one(2, 'rename'),
  one(1, 'erase'),
  one(1, 'rename category'),
  one(1, 'merge categories'),
  one(1, 'delete category'),
)
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never

const skuOf = (number: number) => `S-${number}`
const named = (number: number) => ({ sku: skuOf(number) })

function bodyOf({ sku, parent, components, links: others, ...rest }: Content) {
  const lists = Object.entries(others ?? {}).map(([kind, list]) => [
    kind,
    list.filter((other) => other !== sku).map(named),
  ])
  return {
    ...(sku >= 7 && { name: 'New' }),
    ...rest,
    sku: skuOf(sku),
    ...(parent !== undefined && { parent: parent === null ? null : named(parent) }),
    ...(components && { components: [...new Set(components)].map(named) }),
    ...(others && { links: Object.fromEntries(lists) }),
  }
}

async function begin(shop: Tenant): Promise<number> {
  const configurable = { product_type: 'configurable', variant_axes: ['color'] }
  const variant = (color: string) => ({ parent: named(0), attributes: { color, size: 1 } })
  const others = [
    configurable,
    { product_type: 'configurable' },
    variant('red'),
    variant('blue'),
    { price: 1, categories: [{ name: 'A' }] },
  ]
  const parts = { components: [named(3), named(4)] }
  const composed = ['bundle', 'grouped'].map((product_type) => ({ product_type, ...parts }))
  const body = [...others, ...composed].map((product, at) => ({ ...named(at), name: 'There', ...product }))
  const { body: answer } = await shop.call('/v2/products/bulk', { method: 'POST', body })
  expect(answer.summary.created).toBe(7)
  const prompt = { name: 'Writer', prompt_text: 'Write' }
  return (await shop.call('/v2/prompts', { method: 'POST', body: prompt })).body.id
}

/** Other values for some fields of a line. */
function contendedBy(given: readonly Content[], { line, values, flag }: Edit): Content {
  const { sku, ...fields } = given[line % given.length] as Content
  const names = fieldNames.filter((name) => name in fields).slice(0, flag ? 1 : undefined)
  return { sku, ...Object.fromEntries(names.map((name) => [name, values[name]])) }
}

/** A concurrent change by someone else. */
async function take(shop: Tenant, lines: readonly Content[], step: Edit, isCut: boolean): Promise<void> {
  const { act, content: free, flag } = step
  const isContended = act === 'write what a line is about'
  const given = isContended ? contendedBy(lines, step) : (free as Content)
  const send = async (method: string, path: string, body: object) => {
    const { status, text: response } = await shop.call(`/v2${path}`, { method, body })
    expect(status < 500 || (isCut && status === 503), `${method} ${path}: ${response}`).toBe(true)
  }
  const { sku, ...body } = bodyOf(given)
  if (isContended) return send('POST', '/products/bulk?mode=update', [{ ...body, sku }])
  if (act === 'write') return send('POST', '/products/bulk', [{ name: 'Other', ...body, sku }])
  if (act.includes('categor')) {
    const rows = await service.database.query(sql<{ id: number }>`
      select id from categories where project_id = ${shop.project} order by id`)
    const [first, second] = flag ? rows : rows.reverse()
    if (first === undefined) return
    if (act === 'rename category') return send('PATCH', `/categories/${first.id}`, { name: `F-${first.id}` })
    if (act === 'delete category') return send('DELETE', `/categories/${first.id}`, {})
    return second && send('POST', `/categories/${first.id}/merge`, { into: second.id })
  }
  const found = [...(await readCatalog(service, shop))].find(([, product]) => product.sku === sku)
  if (found === undefined) return
  const [id] = found
  if (act === 'rename') return send('PATCH', `/products/${id}`, { sku: flag ? 'S-9' : 'S-8' })
  await send('PATCH', `/products/${id}`, { status: 'archived' })
  await eraseProduct(service.database, { name: 'tester' }, shop.project, id).catch((error) => {
    if (!isCut && !/archive it first|there is no product/.test(error.message)) throw error
  })
}

/** Edits of lines, which also edit closed lines and send values with errors. */
const lineEdit = fc.record({ line: fc.nat(7), patch: some, isFirst: fc.boolean() })
type LineEdit = typeof lineEdit extends fc.Arbitrary<infer Value> ? Value : never

async function editLines(
  shop: Tenant,
  id: number,
  edits: readonly LineEdit[],
  isCut: boolean,
): Promise<void> {
  for (const { line, patch } of edits) {
    const { sku: _sku, ...body } = bodyOf(patch as Content)
    const path = `/v2/proposals/${id}/lines/${line + 1}`
    const { status, text: response } = await shop.call(path, { method: 'PATCH', body: { patch: body } })
    expect(status < 500 || (isCut && status === 503), response).toBe(true)
  }
}

const cut = () =>
  service.database.query(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )

/** The service notices broken connections one by one, and returns 503 for each. */
async function untilCalm(shop: Tenant): Promise<void> {
  for (let calm = 0; calm < 20; calm += 1) {
    const [{ status }] = await Promise.all([
      shop.call('/v2/products'),
      service.database.query(sql`select 1`).catch(() => {}),
    ])
    if (status === 503) calm = 0
  }
}

async function linesOf(shop: Tenant, id: number): Promise<ProposalLine[]> {
  return (await shop.call(`/v2/proposals/${id}/lines?page_size=100`)).body.results
}

type Way = { people: number; isCut: boolean; isAtOnce: boolean }

/** Applies a proposal until no line is open, during concurrent changes. */
async function applyAll(shop: Tenant, id: number, { people, isCut }: Way, meanwhile: () => Promise<void>) {
  const apply = async () => {
    const { status, text: response } = await shop.call(`/v2/proposals/${id}/apply`, { method: 'POST' })
    expect(status === 200 || status === 409 || (isCut && status === 503), response).toBe(true)
    return status
  }
  await Promise.all([...Array.from({ length: people }, apply), meanwhile(), ...(isCut ? [cut()] : [])])
  if (!isCut) return
  await untilCalm(shop)
  while ((await apply()) === 503) await untilCalm(shop)
}

const turn = { signal: new AbortController().signal, endsAt: Number.POSITIVE_INFINITY }
async function revert(shop: Tenant, id: number): Promise<number | undefined> {
  const { status, body } = await shop.call(`/v2/proposals/${id}/revert`, { method: 'POST' })
  if (status === 409) return undefined
  await prepareProposal(service.database, prepareReverts, { projectId: shop.project, id: body.id }, turn)
  const state = async () => (await shop.call(`/v2/proposals/${body.id}`)).body.state
  await expect.poll(state).not.toBe('preparing')
  return body.id
}

const way = fc.record({
  people: fc.integer({ min: 1, max: 2 }),
  isCut: fc.nat(5).map((number) => number === 5),
  isAtOnce: fc.nat(2).map((number) => number === 2),
})

test('a proposal and its revert write each line once, and only fields that no one else has changed since', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(content, fc.boolean()), { minLength: 1, maxLength: 8 }),
      fc.array(edit, { maxLength: 8, size: 'max' }),
      fc.array(fc.nat(7), { maxLength: 2 }),
      fc.array(edit, { maxLength: 1 }),
      fc.array(lineEdit, { maxLength: 3 }),
      way,
      async (given, edits, discarded, later, lineEdits, how) => {
        const shop = await service.tenant()
        const prompt_id = await begin(shop)
        const provenance = { prompt_id, version_number: '1.0.0' }
        const contents = given.map(([line]) => line as Content)
        const body = given.map(([line, isWritten]) => ({
          ...bodyOf(line as Content),
          ...(isWritten && { provenance }),
        }))
        const { status, body: proposal } = await shop.call('/v2/proposals', { method: 'POST', body })
        expect(status, JSON.stringify(proposal)).toBe(201)
        const { id } = proposal
        const [early, late] = [true, false].map((isFirst) =>
          lineEdits.filter((one) => one.isFirst === isFirst),
        ) as [LineEdit[], LineEdit[]]
        await editLines(shop, id, early, false)
        const takeAll = async () => {
          for (const step of edits)
            await take(shop, contents, step, how.isCut).catch((error) => {
              if (!how.isCut || error.name === 'AssertionError') throw error
            })
        }
        if (!how.isAtOnce) {
          await takeAll()
          await editLines(shop, id, late, false)
        }
        const before = await linesOf(shop, id)
        const lines = discarded.map((number) => number + 1).filter((number) => number <= before.length)
        if (lines.length > 0)
          await shop.call(`/v2/proposals/${id}/discard`, { method: 'POST', body: { lines } })
        const now = await readCatalog(service, shop)
        const meanwhile = async () => {
          await Promise.all([takeAll(), editLines(shop, id, late, how.isCut)])
        }
        await applyAll(shop, id, how, how.isAtOnce ? meanwhile : async () => {})
        if (how.isCut) await untilCalm(shop)
        const [after, then] = [await linesOf(shop, id), await readCatalog(service, shop)]
        expectSummary((await shop.call(`/v2/proposals/${id}`)).body, after)
        // An edit during the apply writes other values than those that were read before.
        if (!how.isAtOnce || late.length === 0) await expectHistory(service, shop, id, { before, after })
        await expectProvenance(service, shop)
        if (how.isAtOnce) return
        expectMerged(before, after, now, then)
        const isAlone = edits.length + lines.length + lineEdits.length === 0
        if (isAlone)
          expect(after.filter((line) => line.state !== line.outcome && line.state !== 'applied')).toEqual([])
        await expectReverted(shop, id, { now, then, after, later, contents })
      },
    ),
    { numRuns, endOnFailure: true },
  )
  expect(await countWrongCounts(service.database)).toBe(0)
}, 3_600_000)

/**
 * Lines of one batch are checked against their combined result, so that some are valid only together. A referenced product may have
 * been erased.
 */
const inItsWay = ['stock_is_computed', 'changed_meanwhile', 'unknown_product', 'unknown_category']

type Applied = { now: Catalog; then: Catalog; after: ProposalLine[]; later: Edit[]; contents: Content[] }

async function expectReverted(
  shop: Tenant,
  id: number,
  { now, then, after, later, contents }: Applied,
): Promise<void> {
  for (const step of later) await take(shop, contents, step, false)
  const touched = await readCatalog(service, shop)
  const inverse = await revert(shop, id)
  if (inverse === undefined) return
  const proposed = await linesOf(shop, inverse)
  await shop.call(`/v2/proposals/${inverse}/apply`, { method: 'POST' })
  const [lines, end] = [await linesOf(shop, inverse), await readCatalog(service, shop)]
  expectSummary((await shop.call(`/v2/proposals/${inverse}`)).body, lines)
  await expectHistory(service, shop, inverse, { before: proposed, after: lines })
  await expectProvenance(service, shop)
  // A created product still references others, and may conflict with them.
  const isPure =
    later.length === 0 && !after.some(({ state, outcome }) => state === 'applied' && outcome === 'created')
  const isLeft = ({ state, errors }: ProposalLine) =>
    state !== 'applied' && !inItsWay.includes(errors[0]?.code ?? '')
  if (isPure) expect(lines.filter(isLeft)).toEqual([])
  for (const [product, { version, fields }] of then) {
    const since = touched.get(product)
    // Stock changes create no version.
    const isMoved = ['quantity', 'reserved'].some((level) => {
      const field = `inventory.${level}`
      return since?.fields.get(field) !== fields.get(field)
    })
    if (since?.version !== version || isMoved) continue
    const own = lines.filter(({ product_id }) => product_id === product)
    if (own.some(({ state }) => state !== 'applied')) continue
    if (!now.has(product)) expect(end.get(product)?.fields.get('status')).toBe('archived')
    else if (own.length > 0)
      expectSameFields(now.get(product)?.fields, end.get(product)?.fields, `product ${product}`)
    else if (later.length === 0) expectSameFields(fields, end.get(product)?.fields, `product ${product}`)
  }
}
