import { isDeepStrictEqual } from 'node:util'
import {
  changedReadOnly,
  readOnlyInCreate,
  readOnlyOf,
  type SentReadOnly,
} from '../../platform/http/body/read-only-fields.ts'
import type { BodyError } from '../../platform/http/problems.ts'
import type { ProductDetail } from './product.schema.ts'
import type { ProductPatch, PushedProduct } from './product-input.schema.ts'

type Shown = Partial<ProductDetail>
/** A product while a push applies lines to it. */
type Held = { version: number; created: unknown; steps: readonly unknown[]; adjustments: readonly unknown[] }
export type ShownProducts = {
  bySku: ReadonlyMap<string, Shown>
  /** The IDs in export lines that belong to this project. */
  ownIds: ReadonlySet<number>
}

/** Fields that no write changes. */
const fixed = ['id', 'project', 'currency', 'created_at'] as const
/** Fields that a row has in the form of responses. Pushing an export again needs no others. */
const inRow = ['id', 'project', 'version', 'created_at', 'updated_at'] as const

const plainNames: ReadonlySet<string> = new Set(inRow)
/** Whether a row has all read-only fields that a line sends. */
export function isInRow(sent: ReadonlySet<string>): boolean {
  return sent.isSubsetOf(plainNames)
}

export function shownRow<Row extends Record<(typeof inRow)[number] | 'sku', unknown>>(row: Row) {
  return pick(row, ['sku', ...inRow])
}

/** The ID in a line whose read-only fields are exactly those of an export. */
function exportedId(sent: SentReadOnly): number | undefined {
  const names = new Set(sent.map(({ path }) => path[0]))
  const id = sent.find(({ path }) => path[0] === 'id')?.value
  const isExported = names.size === 2 && names.has('version') && Number.isSafeInteger(id)
  return isExported ? (id as number) : undefined
}

/** An export can be pushed to another project, where its IDs and versions have no meaning. */
function withoutForeign(sent: SentReadOnly | undefined, { ownIds }: ShownProducts): SentReadOnly | undefined {
  const id = sent && exportedId(sent)
  return id === undefined || ownIds.has(id) ? sent : undefined
}

/** The IDs that the lines send back. */
export function sentIds(products: readonly PushedProduct[]): number[] {
  const sent = products.flatMap((product) => readOnlyOf(product) ?? [])
  return sent.flatMap(({ path, value }) =>
    path[0] === 'id' && Number.isSafeInteger(value) ? (value as number) : [],
  )
}

/** Errors in the read-only fields of a line that creates a product. */
export function findReadOnlyErrors(product: PushedProduct, shown: ShownProducts | undefined): BodyError[] {
  const sent = shown && withoutForeign(readOnlyOf(product), shown)
  return sent === undefined ? [] : readOnlyInCreate(sent)
}

/** The names of the read-only fields that the lines send back, by SKU. */
export function sentFields(products: readonly PushedProduct[]): Map<string, Set<string>> {
  const sent = new Map<string, Set<string>>()
  for (const product of products)
    for (const { path } of readOnlyOf(product) ?? [])
      sent.getOrInsertComputed(product.sku, () => new Set()).add(path[0] as string)
  return sent
}

function pick<Value extends object, Name extends keyof Value>(
  value: Value,
  names: readonly Name[],
): Pick<Value, Name> {
  return Object.fromEntries(names.map((name) => [name, value[name]])) as Pick<Value, Name>
}

/** Compares the read-only fields of a line with the product, and returns the line without unchanged stock. */
export function compareReadOnly(
  product: PushedProduct,
  held: Held,
  shown: ShownProducts | undefined,
): { product: PushedProduct; errors: BodyError[] } {
  const sent = shown && withoutForeign(readOnlyOf(product), shown)
  if (sent === undefined) return { product, errors: [] }
  const before = shown?.bySku.get(product.sku) ?? {}
  const isChanged = held.created !== undefined || held.steps.length > 0 || held.adjustments.length > 0
  const current = isChanged ? afterEarlierLines(before, held) : before
  const errors = changedReadOnly(sent, current)
  return errors.length > 0
    ? { product, errors }
    : { product: withoutSameStock(product, sent, current), errors }
}

/** An earlier line of the push has changed the product, so computed fields are unknown until it is written. */
function afterEarlierLines(before: Shown, { version, steps }: Held): Shown {
  return { ...pick(before, fixed), version: version + steps.length }
}

/** Stock that is sent back unchanged is ignored, also if it is computed and cannot be set. */
export function withoutSameStock<Write extends ProductPatch>(
  write: Write,
  sent: SentReadOnly,
  { inventory: shown }: Pick<ProductDetail, 'inventory'>,
): Write {
  const { inventory: given, ...others } = write
  const isWhole = sent.some(({ path }) => path[0] === 'inventory')
  if (!isWhole || given === undefined || shown === undefined) return write
  const isSame = Object.entries(given).every(([name, value]) =>
    isDeepStrictEqual(shown[name as keyof typeof shown], value),
  )
  return isSame ? (others as Write) : write
}
