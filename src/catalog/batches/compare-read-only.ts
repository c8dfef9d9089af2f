import type { ProductDetail } from '../../model/product/product.schema.ts'
import type { PushedProduct } from '../../model/product/product-input.schema.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { BodyFault } from '../../platform/http/problems.ts'
import {
  changedReadOnly,
  readOnlyInCreate,
  readOnlyOf,
  type SentReadOnly,
} from '../../platform/http/request/read-only.ts'
import type { ShowProducts } from '../products/show-product.ts'
import { withoutSameStock } from '../products/without-read-only.ts'
import { findOwned, findPushedProducts } from './batch.sql.ts'
import type { PushedLine } from './read-batches.ts'

type Shown = Partial<ProductDetail>
/** A product while the lines of a push are applied to it. */
type Held = { version: number; created: unknown; steps: readonly unknown[]; adjustments: readonly unknown[] }
type Named = {
  lines: readonly PushedLine[]
  rows: readonly ProductRow[]
  known: ReadonlyMap<string, unknown>
}
export type ShownProducts = {
  bySku: ReadonlyMap<string, Shown>
  /** Those of the ids in lines of an export that are of this project. */
  ownIds: ReadonlySet<number>
}

/** What no change of a product changes. */
const fixed = ['id', 'project', 'currency', 'created_at'] as const
/** What a row has as reads show it: an export that is pushed again needs no more. */
const inRow = ['id', 'project', 'version', 'created_at', 'updated_at'] as const

const plainNames: ReadonlySet<string> = new Set(inRow)
const none: ShownProducts = { bySku: new Map(), ownIds: new Set() }

/** The products that lines send read-only fields of, by SKU, as they are before the batch. */
export async function showNamed(
  database: Queryable,
  projectId: number,
  show: ShowProducts | undefined,
  { lines, rows, known }: Named,
): Promise<ShownProducts | undefined> {
  if (show === undefined) return undefined
  const sent = sentFields(lines)
  if (sent.size === 0) return none
  const loaded = rows.filter(({ sku }) => sent.has(sku))
  // A dry run remembers products from earlier batches, and not as they are shown.
  const remembered = [...sent.keys()].filter((sku) => known.has(sku))
  if (remembered.length > 0)
    loaded.push(...(await findPushedProducts(database, projectId, remembered, { hold: false })))
  const isPlain = ({ sku }: ProductRow) => sent.get(sku)?.isSubsetOf(plainNames) === true
  const detailed = await show(
    database,
    loaded.filter((row) => !isPlain(row)),
  )
  const plain = loaded.filter(isPlain).map((row): Shown => pick(row, ['sku', ...inRow]))
  const bySku = new Map([...plain, ...detailed].map((one) => [one.sku as string, one]))
  return { bySku, ownIds: await findOwnIds(database, projectId, lines) }
}

/** The id in a line that has the read-only fields of an export and no others. */
function exportedId(sent: SentReadOnly): number | undefined {
  const names = new Set(sent.map(({ path }) => path[0]))
  const id = sent.find(({ path }) => path[0] === 'id')?.value
  const isExported = names.size === 2 && names.has('version') && Number.isSafeInteger(id)
  return isExported ? (id as number) : undefined
}

/** An export may be pushed to any project: there its ids and versions say nothing. */
function withoutForeign(sent: SentReadOnly | undefined, { ownIds }: ShownProducts): SentReadOnly | undefined {
  const id = sent && exportedId(sent)
  return id === undefined || ownIds.has(id) ? sent : undefined
}

async function findOwnIds(
  database: Queryable,
  projectId: number,
  lines: readonly PushedLine[],
): Promise<Set<number>> {
  const sent = lines.flatMap((line) => ('product' in line ? (readOnlyOf(line.product) ?? []) : []))
  const ids = sent.filter(({ path, value }) => path[0] === 'id' && Number.isSafeInteger(value))
  if (ids.length === 0) return new Set()
  return findOwned(
    database,
    projectId,
    ids.map(({ value }) => value as number),
  )
}

/** What is wrong with the read-only fields of a line that creates a product. */
export function readOnlyFaults(product: PushedProduct, shown: ShownProducts | undefined): BodyFault[] {
  const sent = shown && withoutForeign(readOnlyOf(product), shown)
  return sent === undefined ? [] : readOnlyInCreate(sent)
}

/** The names of the read-only fields that lines send, by SKU. */
function sentFields(lines: readonly PushedLine[]): Map<string, Set<string>> {
  const sent = new Map<string, Set<string>>()
  for (const line of lines) {
    const fields = 'product' in line ? readOnlyOf(line.product) : undefined
    for (const { path } of fields ?? [])
      sent.getOrInsertComputed(line.sku as string, () => new Set()).add(path[0] as string)
  }
  return sent
}

function pick<Value extends object, Name extends keyof Value>(
  value: Value,
  names: readonly Name[],
): Pick<Value, Name> {
  return Object.fromEntries(names.map((name) => [name, value[name]])) as Pick<Value, Name>
}

/** What is left of a line once its read-only fields are compared. */
export function compareReadOnly(
  product: PushedProduct,
  held: Held,
  shown: ShownProducts | undefined,
): { product: PushedProduct; faults: BodyFault[] } {
  const sent = shown && withoutForeign(readOnlyOf(product), shown)
  if (sent === undefined) return { product, faults: [] }
  const before = shown?.bySku.get(product.sku) ?? {}
  const isChanged = held.created !== undefined || held.steps.length > 0 || held.adjustments.length > 0
  const current = isChanged ? afterEarlierLines(before, held) : before
  const faults = changedReadOnly(sent, current)
  return faults.length > 0
    ? { product, faults }
    : { product: withoutSameStock(product, sent, current), faults }
}

/** An earlier line of the push has changed it: what follows from that is not known until it is written. */
function afterEarlierLines(before: Shown, { version, steps }: Held): Shown {
  return { ...pick(before, fixed), version: version + steps.length }
}
