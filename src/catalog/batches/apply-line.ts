import type { AttributeErrors } from '../../model/attributes/check-attributes.ts'
import { changedFields } from '../../model/fields/changed-fields.ts'
import {
  compareReadOnly,
  findReadOnlyErrors,
  type ShownProducts,
} from '../../model/product/compare-read-only.ts'
import { findDirectionErrors } from '../../model/product/direction-errors.ts'
import {
  type Content,
  type Differences,
  defaultContent,
  differences,
  patchContent,
} from '../../model/product/product-content.ts'
import type { PushedProduct } from '../../model/product/product-input.schema.ts'
import {
  initialStock,
  negativeQuantityError,
  rejectNegativeStock,
  type StockLevels,
} from '../../model/product/stock.ts'
import type { NewEntries } from '../../model/provenance/entries.ts'
import { resolveProvenance, type VersionLookup } from '../../model/provenance/resolve-provenance.ts'
import { readOnlyOf } from '../../platform/http/body/read-only-fields.ts'
import { type BodyError, Problem } from '../../platform/http/problems.ts'
import type { CategoryLookup } from '../categories/look-up-categories.ts'
import { applyStructure } from '../structure/apply-structure.ts'
import type { ProductLookup } from '../structure/look-up-products.ts'
import { resolveStructure } from '../structure/resolve-structure.ts'
import { type AppliedLine, newState, type ProductState, type Push, rejectLine } from './applied-line.ts'
import { lineFaults, type PushedLine, tellableFaults } from './read-batches.ts'

/** What the lines of a batch name, looked up for all of them. */
export type Lookups = {
  categories: CategoryLookup
  products: ProductLookup
  versions: VersionLookup
  /** Products as they were before the batch, for lines that send back what was read; undefined where nobody compares. */
  shown?: ShownProducts | undefined
}

type Rules = Pick<Push, 'mode' | 'ruleset' | 'isStrict'>

/** The products are those that exist; a new one is added to them. */
export function applyLine(
  line: PushedLine,
  rules: Rules,
  products: Map<string, ProductState>,
  lookups: Lookups,
): AppliedLine {
  if ('faults' in line) return rejectLine(line, line.faults, undefined)
  const held = products.get(line.sku)
  try {
    if (held === undefined) return create(line, rules, products, lookups)
    if (rules.mode === 'create') return rejectLine(line, [], held)
    return change(line, rules, held, lookups)
  } catch (error) {
    if (error instanceof Problem) return rejectLine(line, lineFaults(error), held)
    throw error
  }
}

type Line = Extract<PushedLine, { product: PushedProduct }>

/** The references of a line, or their errors. */
function resolveNames(product: PushedProduct, sku: string, isStrict: boolean, lookups: Lookups) {
  const ownSkus = [sku, product.sku]
  const { resolved, faults } = resolveStructure(product, lookups.products, { isStrict, ownSkus })
  const { categories } = product
  return {
    names: () => ({ categories: categories && lookups.categories.pick(categories), ...resolved }),
    faults: [...lookups.categories.faults(categories ?? []), ...faults],
  }
}

/** What follows from the new content of a product, and its errors. A new product has no content before. */
function checkContent(
  product: PushedProduct,
  before: Content | undefined,
  after: Content,
  lookups: Lookups,
  provenance?: NewEntries,
) {
  const { axes, faults: misfits } = applyStructure(product, before, after, lookups.products)
  const step = before && differences(before, after)
  const sides = before === undefined ? { before: defaultContent, after } : step
  const { entries, errors: invalidProvenance } =
    provenance === undefined
      ? resolveProvenance(product.provenance, lookups.versions, sides)
      : { entries: entriesOf(provenance, step), errors: [] }
  const turning = sides === undefined ? [] : findDirectionErrors(step?.before, sides.after)
  return { step, axes, entries, faults: [...turning, ...misfits, ...invalidProvenance] }
}

/** A prompt wrote only those fields that the line changes. A new product has all fields of its line. */
function entriesOf(provenance: NewEntries, step: Differences | undefined): NewEntries | undefined {
  if (step === undefined) return provenance
  const changed = changedFields(step)
  const entries = Object.entries(provenance).filter(([field]) => changed.has(field))
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

const nameRequired: BodyError = { pointer: '/name', code: 'required', message: 'is required' }

function create(
  line: Line,
  { mode, ruleset, isStrict = false }: Rules,
  products: Map<string, ProductState>,
  lookups: Lookups,
): AppliedLine {
  const { sku, product } = line
  if (mode === 'update') throw unknownSku(sku)
  const { names, faults } = resolveNames(product, sku, isStrict, lookups)
  const unnamed = product.name === undefined ? [nameRequired] : []
  const unfit = [...unnamed, ...findReadOnlyErrors(product, lookups.shown), ...faults]
  if (product.name === undefined || unfit.length > 0) return rejectLine(line, unfit, undefined)
  const { quantity, reserved, ...inventory } = initialStock(product.inventory)
  const levels = { quantity, reserved }
  if (quantity < 0 && !inventory.backorders) return rejectLine(line, [negativeQuantityError], undefined)
  const patched = patchContent({ ...defaultContent, sku, name: product.name }, product, names())
  const content = { ...patched, inventory }
  const { axes, entries, faults: wrong } = checkContent(product, undefined, content, lookups, line.provenance)
  if (wrong.length > 0) return rejectLine(line, wrong, undefined)
  const found = ruleset.attributeChecks?.checkWrite(undefined, content, content.attributes)
  if (found !== undefined && found.errors.length > 0)
    return rejectLine(line, tellableFaults(found.errors), undefined)
  const held = newState({ content, levels, provenance: entries }, axes)
  products.set(sku, held)
  const changes = { before: {}, after: { ...content, inventory: { ...inventory, ...levels } } }
  const warnings = warningsOf(found)
  const made = { outcome: 'created', version: held.version } as const
  return { line: line.line, sku, product: held, ...made, errors: [], ...warnings, changes }
}

function unknownSku(sku: string): Problem {
  const message = `there is no product with the SKU "${sku}", and mode=update makes none`
  return new Problem('invalid_body', { errors: [{ pointer: '/sku', code: 'not_found', message }] })
}

/** Only where there are any: most lines of most projects have none. */
function warningsOf(found: AttributeErrors | undefined): Pick<AppliedLine, 'warnings'> {
  if (found === undefined || found.warnings.length === 0) return {}
  return { warnings: tellableFaults(found.warnings) }
}

function change(
  line: Line,
  { ruleset, isStrict = false }: Rules,
  held: ProductState,
  lookups: Lookups,
): AppliedLine {
  const { product, errors: changed } = compareReadOnly(line.product, held, lookups.shown)
  const { names, faults } = resolveNames(product, line.sku, isStrict, lookups)
  if (changed.length + faults.length > 0) return rejectLine(line, [...changed, ...faults], held)
  const next = patchContent(held.content, product, names())
  const {
    step,
    axes,
    entries,
    faults: wrong,
  } = checkContent(product, held.content, next, lookups, line.provenance)
  if (wrong.length > 0) return rejectLine(line, wrong, held)
  const found = ruleset.attributeChecks?.checkWrite(held.content, next, product.attributes)
  // What was read can be sent back as it is, also values that are older than their definition.
  const isSentBack = step === undefined && readOnlyOf(line.product) !== undefined
  if (!isSentBack && found !== undefined && found.errors.length > 0)
    return rejectLine(line, tellableFaults(found.errors), held)
  const before = held.levels
  const { quantity = before.quantity, reserved = before.reserved } = product.inventory ?? {}
  const levels = { quantity, reserved }
  if ((product.inventory?.quantity ?? 0) < 0 && !next.inventory.backorders)
    return rejectLine(line, [negativeQuantityError], held)
  rejectNegativeStock({ ...next.inventory, ...levels })
  const isStocked = quantity !== before.quantity || reserved !== before.reserved
  if (isStocked) {
    held.adjustments.push({ delta: quantity - before.quantity, quantity })
    held.levels = levels
  }
  if (step !== undefined) {
    held.steps.push(entries === undefined ? step : { ...step, provenance: entries })
    held.content = next
    if (axes !== undefined) held.axes = axes
  }
  const outcome = step === undefined && !isStocked ? 'unchanged' : 'updated'
  const changes = isStocked ? withStock(step, before, levels) : step
  const version = step === undefined ? null : held.version + held.steps.length
  const { line: number, sku } = line
  return { line: number, sku, product: held, outcome, version, errors: [], ...warningsOf(found), changes }
}

function withStock(
  step: Differences | undefined,
  before: StockLevels,
  after: StockLevels,
): AppliedLine['changes'] {
  return {
    before: { ...step?.before, inventory: { ...step?.before.inventory, ...before } },
    after: { ...step?.after, inventory: { ...step?.after.inventory, ...after } },
  }
}
