import { expect } from 'vitest'
import type { Proposal, ProposalLine } from '../../src/catalog/proposals/proposal.schema.ts'
import { changedFields } from '../../src/model/fields/changed-fields.ts'
import { isSameValue } from '../../src/model/fields/same-value.ts'
import { sql } from '../../src/platform/database/sql.ts'
import type { Tenant, TestService } from '../harness.ts'

export type Fields = Map<string, unknown>
/** Products from their rows, by ID. */
export type Catalog = Map<number, { sku: string; version: number; provenance: object; fields: Fields }>

const settings = ['tracked', 'low_stock_threshold', 'backorders', 'quantity', 'reserved']
const plain = ['sku', 'name', 'description', 'short_description', 'price', 'status', 'product_type'].concat([
  'media',
  'parent',
  'variant_axes',
  'components',
])

type Row = Record<string, unknown> & { id: number; sku: string; version: number; provenance: object }

export async function readCatalog({ database }: TestService, { project }: Tenant): Promise<Catalog> {
  const rows = await database.query(sql<{ product: Row }>`
    select to_jsonb(product) || jsonb_build_object('categories', (
      select coalesce(jsonb_agg(jsonb_build_object('id', own.id, 'name', category.name) order by own.place), '[]')
      from unnest(product.category_ids) with ordinality as own (id, place)
      join categories as category on category.project_id = product.project_id and category.id = own.id)) as product
    from products as product where project_id = ${project} order by id`)
  return new Map(
    rows.map(({ product }) => {
      const { id, sku, version, provenance } = product
      return [id, { sku, version, provenance, fields: fieldsOf(product) }]
    }),
  )
}

function fieldsOf(row: Row): Fields {
  const group = (name: string, values: object): [string, unknown][] =>
    Object.entries(values).map(([one, value]) => [`${name}.${one}`, value])
  return new Map([
    ...[...plain, 'categories'].map((name): [string, unknown] => [name, row[name] ?? null]),
    ...group('attributes', row['attributes'] as object),
    ...group('links', row['links'] as object),
    ...settings.map((name): [string, unknown] => [`inventory.${name}`, row[name] ?? null]),
  ])
}

type Named = { id: number | null; name?: string; sku?: string }

/** An object that had no ID at the time of the proposal is compared by name. */
function isSame(field: string, said: unknown, held: unknown): boolean {
  const isNamed = (one: Named, other: Named | undefined) =>
    one.id === null
      ? (one.name ?? one.sku) === (other?.name ?? other?.sku) && other !== undefined
      : one.id === other?.id
  if (field === 'parent' && said !== null && held !== null) return isNamed(said as Named, held as Named)
  if (field.startsWith('links.') && linked(said, held) === linked(held, held)) return true
  if (field !== 'categories') return isSameValue(field, said ?? null, held ?? null)
  const [some, others] = [(said ?? []) as Named[], (held ?? []) as Named[]]
  return some.length === others.length && some.every((one, index) => isNamed(one, others[index]))
}

/** The targets of links. Two links may have the same target, once it has the SKU that one of them waited for. */
function linked(said: unknown, held: unknown): string {
  const idOf = (sku: string | undefined) => ((held ?? []) as Named[]).find((one) => one.sku === sku)?.id
  const ids = ((said ?? []) as Named[]).map(({ id, sku }) => id ?? idOf(sku) ?? sku)
  return JSON.stringify([...new Set(ids)])
}

/** Whether both have the same fields. */
export function expectSameFields(
  one: Fields | undefined,
  other: Fields | undefined,
  description: string,
): void {
  const [some, others] = [one ?? new Map(), other ?? new Map()]
  const different = [...new Set([...some.keys(), ...others.keys()])].filter(
    (field) => !isSame(field, some.get(field), others.get(field)),
  )
  const values = different.map((field) => [field, some.get(field), others.get(field)])
  expect(values, description).toEqual([])
}

/** Applies the lines of a proposal to products: which lines are in conflict, and the result of the others. */
export function expectMerged(
  lines: readonly ProposalLine[],
  after: ProposalLine[],
  now: Catalog,
  then: Catalog,
) {
  const current = new Map([...now].map(([id, { fields }]) => [id, new Map(fields)]))
  const bySku = new Map([...now].map(([id, { sku }]) => [sku, id]))
  const made = new Map<string, number>()
  for (const [index, line] of lines.entries()) {
    const { state, product_id, errors } = after[index] as ProposalLine
    if (line.state !== 'open' || state === 'discarded' || state === 'open') continue
    const description = `line ${line.line}: ${JSON.stringify([line, after[index]])}`
    const isFollowing = line.product_id === null && line.outcome !== 'created'
    const id = line.product_id ?? made.get(line.sku ?? '')
    if (id === undefined) {
      const isTaken = bySku.has(line.sku ?? '')
      if (isTaken) expect(state, description).toBe('conflict')
      else expect(['applied', 'rejected'], description).toContain(state)
      if (state !== 'applied') continue
      made.set(line.sku ?? '', product_id as number)
      current.set(product_id as number, new Map(then.get(product_id as number)?.fields))
      if (!isFollowing) expectWritten(line, lines, then.get(product_id as number)?.fields, description)
      continue
    }
    const held = current.get(id)
    if (held === undefined) {
      expect([state, errors[0]?.code], description).toEqual(['rejected', 'not_found'])
      continue
    }
    // The intermediate content of a product that the proposal created is not known.
    if (!now.has(id)) continue
    const changes = withoutAxes(line.changes)
    const moved = Object.entries(changes).filter(
      ([field, { before, after: ours }]) =>
        !isSame(field, before, held.get(field)) && !isSameValue(field, ours, held.get(field) ?? null),
    )
    if (moved.length > 0) expect(state, description).toBe('conflict')
    else expect(['applied', 'rejected'], description).toContain(state)
    if (state === 'applied')
      for (const [field, { after: ours }] of Object.entries(changes)) held.set(field, ours)
  }
  for (const [id, { sku }] of now)
    expectSameFields(current.get(id), then.get(id)?.fields, `product ${id} (${sku})`)
}

/** A product that stops being configurable has no axes. */
function withoutAxes(changes: ProposalLine['changes']): ProposalLine['changes'] {
  const { product_type } = changes
  if (product_type === undefined || product_type.after === 'configurable') return changes
  return { variant_axes: { before: [], after: [] }, ...changes }
}

/** The values of the line that creates a product, unless a later line changes them. */
function expectWritten(
  line: ProposalLine,
  lines: readonly ProposalLine[],
  fields: Fields | undefined,
  description: string,
): void {
  const later = new Set(
    lines
      .filter(({ sku }) => sku === line.sku)
      .flatMap(({ line: number, changes }) => (number > line.line ? Object.keys(changes) : [])),
  )
  for (const [field, { after }] of Object.entries(line.changes))
    if (!later.has(field))
      expect([field, isSame(field, after, fields?.get(field))], description).toEqual([field, true])
}

/** The history entry of a creation has null before and after. */
type Entry = {
  product_id: number
  version: number
  before: object | null
  after: object | null
  provenance: object
}

/** Each line that created a version has one history entry, and changed only fields that had their base value. */
export async function expectHistory(
  { database }: TestService,
  { project }: Tenant,
  id: number,
  { before: proposed, after }: { before: readonly ProposalLine[]; after: readonly ProposalLine[] },
): Promise<void> {
  const entries = await database.query(sql<Entry>`
    select product_id, version, before, after from product_history
    where project_id = ${project} and proposal_id = ${id} order by product_id, version`)
  const versions = after
    .filter(({ state, version }) => state === 'applied' && version !== null)
    .map(({ product_id, version }) => `${product_id}/${version}`)
  // An erased product has no history.
  const there = new Set((await readCatalog({ database } as TestService, { project } as Tenant)).keys())
  expect(entries.map(({ product_id, version }) => `${product_id}/${version}`).sort()).toEqual(
    versions.filter((one) => there.has(Number.parseInt(one, 10))).sort(),
  )
  for (const [index, { state, product_id, version }] of after.entries()) {
    const entry = entries.find((one) => one.product_id === product_id && one.version === version)
    if (state !== 'applied' || entry === undefined || entry.before === null) continue
    const { changes, outcome } = proposed[index] as ProposalLine
    for (const [field, { before }] of changedFields(entry as { before: object; after: object })) {
      if (outcome === 'created') continue
      const description = `${field} of ${JSON.stringify([entry, proposed[index]])}`
      expect(field in changes, description).toBe(true)
      expect(isSame(field, changes[field]?.before, before), description).toBe(true)
    }
  }
}

/** The counts match the lines, and the state matches the counts. */
export function expectSummary({ state, summary }: Proposal, lines: readonly ProposalLine[]): void {
  const count = (field: 'state' | 'outcome', value: string) =>
    lines.filter((line) => line[field] === value).length
  const states = Object.keys(summary.states).map((name) => [name, count('state', name)])
  const outcomes = Object.keys(summary.outcomes).map((name) => [name, count('outcome', name)])
  expect(summary).toEqual({
    total: lines.length,
    prepared: lines.length,
    states: Object.fromEntries(states),
    outcomes: Object.fromEntries(outcomes),
  })
  const counted = lines.length - count('outcome', 'rejected')
  const all = (name: string) => count('state', name) === counted
  const { open } = summary.states
  const expected = open > 0 ? 'open' : counted === 0 ? 'failed' : all('applied') ? 'applied' : undefined
  expect(state).toBe(expected ?? (all('discarded') ? 'discarded' : 'partly_applied'))
}

/** The provenance of each product matches its history. */
export async function expectProvenance(service: TestService, shop: Tenant): Promise<void> {
  const entries = await service.database.query(sql<Entry>`
    select product_id, version, before, after, provenance from product_history
    where project_id = ${shop.project} order by product_id, version`)
  const found = new Map<number, Map<string, unknown>>()
  for (const { product_id, before, after, provenance } of entries) {
    const own = found.getOrInsert(product_id, new Map())
    for (const field of changedFields({ before: before ?? {}, after: after ?? {} }).keys()) own.delete(field)
    for (const [field, entry] of Object.entries(provenance ?? {})) own.set(field, entry)
  }
  for (const [id, { provenance }] of await readCatalog(service, shop))
    expect(provenance, `product ${id}`).toEqual(Object.fromEntries(found.get(id) ?? []))
}
