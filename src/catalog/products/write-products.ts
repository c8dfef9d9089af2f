import { changedFields } from '../../model/fields/changed-fields.ts'
import type { FieldName } from '../../model/fields/product-fields.ts'
import { fieldColumns, productColumnNames, productColumns } from '../../model/product/product-columns.ts'
import type { Content, Differences } from '../../model/product/product-content.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import { assetHashes } from '../../model/product/show-media.ts'
import type { StockLevels } from '../../model/product/stock.ts'
import { entriesAfter, type NewEntries } from '../../model/provenance/entries.ts'
import { scoreByRuleset, scoreProduct } from '../../model/quality/quality-score.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import { type AssumedCurrencies, amountsIn } from '../../model/views/view-amounts.ts'
import { marksOf } from '../../model/views/view-marks.ts'
import { storedViews, viewsIn } from '../../model/views/view-values.ts'
import type { Views } from '../../model/views/views.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sqlState } from '../../platform/database/failures.ts'
import { sqlStates } from '../../platform/database/sql-states.ts'
import { arrayText } from '../../platform/database/statements/json-rows.ts'
import { Problem } from '../../platform/http/problems.ts'
import { mapInTurns } from '../../platform/scheduling/map-in-turns.ts'
import { storeChangedReferences, storeNewReferences } from '../structure/store-references.ts'
import { fromJson } from './product.sql.ts'
import { productSearchText } from './search-text.ts'
import { holdViewCurrencies, insertProducts, type Returned, updateProducts } from './write-products.sql.ts'

/*
 * Every creation and change of products goes through this file. It adds the data derived from the content: search text, score and
 * category IDs.
 */

/** Who changed a product, and how. */
export type Author = {
  actor: string
  source: 'api' | 'bulk' | 'cli' | 'console'
  /** The proposal that the change belongs to. */
  proposal?: number
}

/** A new product, with an ID if one is reserved for it. */
export type Creation = {
  id?: number | undefined
  content: Content
  levels: StockLevels
  author: Author
  ruleset: Ruleset
  /** The fields that a prompt wrote. */
  provenance?: NewEntries | undefined
  /** For a variant: the axes of its parent. */
  axes?: readonly string[] | undefined
}

/** A change to a product that has been read. */
export type Change = {
  row: Pick<ProductRow, 'id' | 'version' | 'quality_score' | 'quality_ruleset' | 'provenance'>
  content: Content
  /** Each step creates a version. */
  steps: Differences[]
  /** The stock after the adjustments; undefined if the change does not concern it. */
  levels: StockLevels | undefined
  /** The stock that was read, if the product is not locked: other writers can adjust it without a new version. */
  stockRead?: StockLevels | undefined
  adjustments: { delta: number; quantity: number }[]
  author: Author
  ruleset: Ruleset
  /** For a variant whose parent or attributes change: the axes of its parent. */
  axes?: readonly string[] | undefined
}

/** A row without its categories, which the caller already has. */
export type OwnRow = Omit<ProductRow, 'categories'>
export const wholeRow: Returned<OwnRow> = {
  names: productColumnNames,
  columns: productColumns,
  read: fromJson,
}

const longNames = fieldColumns
  .filter(({ isLarge, isRare }) => isLarge && !isRare)
  .map(({ name }) => name as keyof OwnRow)
const shortNames = productColumnNames.filter((name) => !longNames.includes(name as keyof OwnRow))

/** A row in which long fields that did not change are null. With an equal version, they equal those of the row that was read. */
export const changedRow: Returned<OwnRow> = {
  names: shortNames,
  changedNames: longNames,
  columns: productColumns,
  read: fromJson,
}

/** Adds the long fields of the row that was read to the row that was written. */
export function withUnchanged(read: OwnRow, written: OwnRow | undefined): OwnRow | undefined {
  if (written === undefined) return undefined
  const unchanged = longNames.filter((name) => written[name] === null)
  return Object.assign(written, Object.fromEntries(unchanged.map((name) => [name, read[name]])))
}

/** Returns the written products. A product whose SKU exists is skipped, or fails all of them. */
export async function writeCreations<Row extends { id: number; sku: string }>(
  queryable: Queryable,
  projectId: number,
  creations: readonly Creation[],
  returned: Returned<Row>,
  { skipsExisting }: { skipsExisting: boolean },
): Promise<Row[]> {
  const rows = await mapInTurns(creations, insertedRow)
  const amounts = amountsIn(
    creations.map(({ content, ruleset: { views } }) => ({ before: {}, after: content, views })),
  )
  const written = await holding(
    insertProducts(queryable, projectId, rows, returned, { skipsExisting, amounts }),
  )
  await storeNewReferences(queryable, projectId, creations, written)
  return written
}

/** Returns the written products. Skips products whose version has changed, and with `skipsLocked` also locked ones. */
export async function writeChanges<Row>(
  queryable: Queryable,
  projectId: number,
  changes: readonly Change[],
  returned: Returned<Row>,
  { skipsLocked = false } = {},
): Promise<Row[]> {
  const rows = await mapInTurns(changes, changedRows)
  const all = {
    products: rows.map(({ product }) => product),
    history: rows.flatMap(({ history }) => history),
    adjustments: changes.flatMap(adjustmentRows),
    amounts: amountsIn(
      changes.flatMap(({ steps, ruleset: { views } }) => steps.map((step) => ({ ...step, views }))),
    ),
  }
  const written = await holding(updateProducts(queryable, projectId, all, returned, skipsLocked))
  await storeChangedReferences(queryable, projectId, changes)
  return written
}

/** For proposed amounts: the views keep their currencies until the transaction ends. */
export async function holdProposed(
  tx: Transaction,
  projectId: number,
  amounts: AssumedCurrencies,
): Promise<void> {
  if (amounts.codes.length > 0) await holding(holdViewCurrencies(tx, projectId, amounts))
}

/** Fails with 409 if the currency of a view has changed since the client entered the amounts. */
async function holding<Rows>(written: Promise<Rows>): Promise<Rows> {
  try {
    return await written
  } catch (error) {
    if (sqlState(error) === sqlStates.viewCurrencyChanged) throw new Problem('view_currency_changed')
    throw error
  }
}

const plainColumns = fieldColumns.filter(({ isPlain }) => isPlain)

function insertedRow({ id, content, levels, author, ruleset, provenance }: Creation) {
  const row: Record<string, unknown> = {}
  for (const { field } of plainColumns) row[field] = content[field]
  let hasRare = false
  for (const { field } of rareFields) {
    if (isEmpty(content[field])) row[field] = undefined
    else hasRare = true
  }
  if (hasViews(content)) {
    Object.assign(row, storedViews(content))
    hasRare = true
  }
  const marks = markText(content, ruleset.views)
  if (marks !== undefined) {
    row['view_marks'] = marks === '{}' ? undefined : marks
    hasRare = true
  }
  const derived = {
    search_text: productSearchText(content),
    category_ids: idsOf(content),
    ...qualityOf(content, ruleset),
  }
  const written = provenance && { provenance: entriesAfter({}, 0, [{ fields: [], provenance }]) }
  const assets = assetsOf([content])
  return { ...row, ...content.inventory, ...derived, ...levels, ...author, ...written, id, hasRare, assets }
}

/** As an array; undefined without views. An attribute name can contain any character. */
function markText(content: Content, views: Views | undefined): string | undefined {
  return views === undefined ? undefined : arrayText(marksOf(content, views).map(quoted))
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

function hasViews(content: object): boolean {
  for (const field in content) if (field.startsWith('views.')) return true
  return false
}

/** The assets that versions show, also in views, as an array; undefined if there are none. */
function assetsOf(versions: readonly Partial<Content>[]): string | undefined {
  const hashes = versions.flatMap((version) => [
    ...assetHashes(version.media ?? []),
    ...[...viewsIn(version)].flatMap(([, { media = [] }]) => assetHashes(media)),
  ])
  return hashes.length === 0 ? undefined : arrayText([...new Set(hashes)])
}

const rareFields = fieldColumns.filter(({ isRare }) => isRare)

/** The default of every rare field is empty. */
function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

/** Large fields, links and levels that no step changed are not sent. Without a step, neither is the score. */
function changedRows(change: Change) {
  const { row, content, steps, levels, stockRead, adjustments, ruleset } = change
  const isChanged = (field: FieldName) => steps.some(({ after }) => field in after)
  const fields: Record<string, unknown> = {}
  for (const { field, isLarge, isBoundLater } of plainColumns)
    if (isChanged(field) || !(isLarge || isBoundLater)) fields[field] = content[field]
  const quality = steps.length === 0 ? undefined : qualityOf(content, ruleset)
  const product = {
    id: row.id,
    version: row.version,
    steps: steps.length,
    ...fields,
    ...content.inventory,
    category_ids: isChanged('categories') ? idsOf(content) : undefined,
    search_text: isChanged('sku') || isChanged('name') ? productSearchText(content) : undefined,
    ...(adjustments.length > 0 && levels),
    quantity_read: stockRead?.quantity,
    reserved_read: stockRead?.reserved,
    ...quality,
    ...(steps.some(({ after }) => hasViews(after)) && storedViews(content)),
    view_marks: steps.length === 0 ? undefined : markText(content, ruleset.views),
    provenance: provenanceAfter(change),
    assets: assetsOf(steps.map(({ after }) => after)),
  }
  return { product, history: quality === undefined ? [] : historyRows(change, quality.quality_score) }
}

/** Undefined if it does not change: most products have none. */
function provenanceAfter({ row, steps }: Change): NewEntries | undefined {
  const hasNewProvenance = steps.some(({ provenance }) => provenance !== undefined)
  if (!hasNewProvenance && Object.keys(row.provenance).length === 0) return undefined
  const changed = steps.map((step) => ({
    fields: changedFields(step).keys(),
    provenance: step.provenance,
  }))
  return entriesAfter(row.provenance, row.version, changed)
}

function historyRows(change: Change, lastScore: number) {
  const { row, steps, author } = change
  const scores = scoresAround(change, lastScore)
  return steps.map(({ before, after, provenance }, index) => ({
    id: row.id,
    number: index + 1,
    before,
    after,
    ...author,
    provenance: provenance && entriesAfter({}, row.version + index, [{ fields: [], provenance }]),
    score_before: scores[index],
    score_after: scores[index + 1],
  }))
}

/** The score before the steps and after each of them, computed backward from the final content. */
function scoresAround({ row, content, steps, ruleset }: Change, lastScore: number): number[] {
  const scores = [lastScore]
  let earlier = content
  for (const [index, { before }] of [...steps.entries()].reverse()) {
    earlier = { ...earlier, ...before }
    scores.unshift(index === 0 ? scoreByRuleset(row, earlier, ruleset) : scoreProduct(earlier, ruleset).score)
  }
  return scores
}

function adjustmentRows({ row: { id }, adjustments, author }: Change) {
  return adjustments.map((adjustment, index) => ({ id, number: index + 1, ...adjustment, ...author }))
}

function idsOf({ categories }: Content): string {
  return arrayText(categories.map(({ id }) => id))
}

function qualityOf(content: Content, ruleset: Ruleset) {
  const { score, failed } = scoreProduct(content, ruleset)
  // Codes need no escaping, but quotes, because a code can be `null`.
  const codes = failed.map((code) => `"${code}"`)
  return { quality_score: score, quality_failed: arrayText(codes), quality_ruleset: ruleset.version }
}
