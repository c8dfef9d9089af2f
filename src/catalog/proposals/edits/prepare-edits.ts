import { contentOf } from '../../../model/product/product-content.ts'
import type { ProductRow } from '../../../model/product/product-row.ts'
import { turnOf } from '../../../model/structure/write-turn.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { BodyError } from '../../../platform/http/problems.ts'
import type { PushedLine } from '../../batches/apply-line.ts'
import { tryLines } from '../../batches/dry-run.ts'
import { readProduct } from '../../batches/read-lines.ts'
import { lookUpCategories } from '../../categories/look-up-categories.ts'
import { type FreshCategories, noFreshCategories } from '../../categories/missing-categories.ts'
import { duplicateSku } from '../../products/create-product.ts'
import { findProducts, productKey } from '../../products/product.sql.ts'
import { editedCategories } from '../merge-line.ts'
import { findIdsBySku } from '../open-line.sql.ts'
import type { UnpreparedLine } from '../preparation.sql.ts'
import type { PrepareLines } from '../prepare-proposals.ts'
import type { ProposedCategories } from '../proposal-line.sql.ts'
import { freshPaths } from '../proposed-changes.ts'
import { proposeLines } from '../proposed-line.ts'
import type { Edit } from './edit.schema.ts'
import { type EditedProduct, editProduct } from './edit-product.ts'

/** An edited product before it is checked as a line. */
type EditedLine = {
  line: number
  row: ProductRow
  edited: EditedProduct
  categories: ProposedCategories | null
}

/** Applies edits to the current products, and checks the results like a push. */
export const prepareEdits: PrepareLines = async (tx, { edits }, push, unprepared) => {
  const { projectId, ruleset } = push
  const rows = await findProducts(
    tx,
    unprepared.map(({ product_id }) => ({ projectId, id: product_id })),
  )
  const rowOf = ({ product_id }: UnpreparedLine) => rows.get(productKey({ projectId, id: product_id }))
  const edited = unprepared.flatMap((line) => {
    const row = rowOf(line)
    if (row === undefined) return []
    const { quantity, reserved } = row
    const product = { content: contentOf(row), levels: { quantity, reserved } }
    return [{ line: line.line, row, edited: editProduct(edits as Edit[], product), categories: null }]
  })
  const freshCategories = noFreshCategories()
  const resolved = await resolveCategoryEdits(tx, projectId, edited, freshCategories)
  const read = await readLines(tx, projectId, unprepared, new Map(resolved.map((line) => [line.line, line])))
  const { apply, proposed } = proposeLines(ruleset)
  const applied = await tryLines(tx, push, read, apply, freshCategories)
  const paths = freshPaths(freshCategories)
  const categoriesOf = new Map(resolved.map(({ line, categories }) => [line, categories]))
  const turns = new Map(read.map((line) => [line.line, 'product' in line ? turnOf(line.product) : 0]))
  return applied.map((line) => ({
    ...proposed(line, paths, turns.get(line.line) ?? 0),
    categories: line.outcome === 'updated' ? (categoriesOf.get(line.line) ?? null) : null,
  }))
}

/** Resolves added and removed categories: as the complete list of the line, and as edits that are stored with it. */
async function resolveCategoryEdits(
  database: Queryable,
  projectId: number,
  lines: readonly EditedLine[],
  fresh: FreshCategories,
): Promise<EditedLine[]> {
  const [first] = lines
  const { addCategories = [], removeCategories = [], patch } = first?.edited ?? {}
  if (addCategories.length + removeCategories.length === 0) return [...lines]
  const given = [...addCategories, ...(patch?.categories ?? [])]
  const added = await lookUpCategories(database, projectId, [given], false, fresh)
  // A category that is only removed must not be created.
  const removed = await lookUpCategories(database, projectId, [removeCategories], false)
  // The categories existed when the edits were checked. If one is missing or ambiguous by now, the check rejects the lines.
  const hasErrors = added.findErrors(given).length + removed.findErrors(removeCategories).length > 0
  if (hasErrors) return lines.map((line) => withCategories(line, [...given, ...removeCategories]))
  const named = (references: typeof given) => {
    const picked = added.pick(references)
    const paths = freshPaths(fresh)
    return picked.map(({ id, name }) => (id > 0 ? { id } : { path: paths.get(id) ?? [name] }))
  }
  const remove = removed.pick(removeCategories).flatMap(({ id }) => (id > 0 ? id : []))
  const isLeft = (category: { id: number } | { path: string[] }) =>
    !('id' in category) || !remove.includes(category.id)
  const edits = { add: named(addCategories).filter(isLeft), remove }
  return lines.map(({ edited, row, ...line }) => {
    const { categories } = edited.patch
    const ids = row.categories.map(({ id }) => id)
    const list =
      categories === undefined
        ? editedCategories(ids, edits)
        : named([...categories, ...addCategories]).filter(isLeft)
    return withCategories({ ...line, row, edited, categories: categories === undefined ? edits : null }, list)
  })
}

function withCategories(
  line: EditedLine,
  categories: EditedProduct['patch']['categories'] & object,
): EditedLine {
  const { edited } = line
  return { ...line, edited: { ...edited, patch: { ...edited.patch, categories } } }
}

/** The lines as push lines with the current SKUs of their products. */
async function readLines(
  database: Queryable,
  projectId: number,
  unprepared: readonly UnpreparedLine[],
  edited: ReadonlyMap<number, EditedLine>,
): Promise<PushedLine[]> {
  const wanted = [...edited.values()].flatMap(({ edited: { patch }, row }) =>
    patch.sku === undefined || patch.sku === row.sku ? [] : patch.sku,
  )
  const holders = await findIdsBySku(database, projectId, wanted)
  return unprepared.map(({ line, product_id, sku }) => {
    const found = edited.get(line)
    if (found === undefined)
      return {
        line,
        sku,
        errors: [{ pointer: '', code: 'not_found', message: `product ${product_id} no longer exists` }],
      }
    const {
      row,
      edited: { patch },
    } = found
    const read = readProduct({ sku: row.sku, ...patch })
    if ('errors' in read) return { line, sku: row.sku, errors: read.errors }
    const taken = takenSku(read.product.sku, row, holders)
    return taken === undefined
      ? { line, sku: row.sku, product: read.product }
      : { line, sku: row.sku, errors: [taken] }
  })
}

function takenSku(sku: string, row: ProductRow, holders: ReadonlyMap<string, number>): BodyError | undefined {
  const holder = holders.get(sku)
  if (holder === undefined || holder === row.id) return undefined
  return { pointer: '/sku', code: 'duplicate_sku', message: duplicateSku(sku, holder).message }
}
