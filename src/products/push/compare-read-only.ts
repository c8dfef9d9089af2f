import type { Queryable } from '../../database/database.ts'
import type { BodyFault } from '../../http/problems.ts'
import { changedReadOnly, readOnlyOf } from '../../http/request/read-only.ts'
import type { ProductRow } from '../describe-product.ts'
import type { ProductDetail } from '../product.schema.ts'
import type { PushedProduct } from '../product-input.schema.ts'
import type { ShowProducts } from '../show-product.ts'
import { withoutSameStock } from '../without-read-only.ts'
import { findPushedProducts } from './product-push.sql.ts'
import type { PushedLine } from './read-batches.ts'

type Shown = Partial<ProductDetail>
/** A product while the lines of a push are applied to it. */
type Held = { version: number; created: unknown; steps: readonly unknown[]; adjustments: readonly unknown[] }
type Named = {
  lines: readonly PushedLine[]
  rows: readonly ProductRow[]
  known: ReadonlyMap<string, unknown>
}
export type ShownProducts = ReadonlyMap<string, Shown>

/** What no change of a product changes. */
const fixed = ['id', 'project', 'currency', 'created_at'] as const
/** What a row has as reads show it: an export that is pushed again needs no more. */
const inRow = ['id', 'project', 'version', 'created_at', 'updated_at'] as const

const plainNames: ReadonlySet<string> = new Set(inRow)
const none: ShownProducts = new Map()

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
  return new Map([...plain, ...detailed].map((one) => [one.sku as string, one]))
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
  const sent = shown && readOnlyOf(product)
  if (sent === undefined) return { product, faults: [] }
  const before = shown?.get(product.sku) ?? {}
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
