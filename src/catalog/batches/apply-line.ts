import type { AttributeErrors } from '../../model/attributes/check-attributes.ts'
import { checkWrite } from '../../model/attributes/check-write.ts'
import { changedFields } from '../../model/fields/changed-fields.ts'
import { compareReadOnly, findReadOnlyErrors } from '../../model/product/compare-read-only.ts'
import { findDirectionErrors } from '../../model/product/direction-errors.ts'
import {
  type Content,
  type Differences,
  defaultContent,
  differences,
  patchContent,
} from '../../model/product/product-content.ts'
import type { PushedProduct } from '../../model/product/product-input.schema.ts'
import type { PushMode } from '../../model/product/push-input.schema.ts'
import { resolveMedia, resolveViews } from '../../model/product/resolve-media.ts'
import {
  initialStock,
  negativeQuantityError,
  rejectNegativeStock,
  type StockLevels,
} from '../../model/product/stock.ts'
import type { Entries, NewEntries } from '../../model/provenance/entries.ts'
import { resolveProvenance } from '../../model/provenance/resolve-provenance.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import { findUnknownViews, stampSources } from '../../model/views/apply-views.ts'
import type { ViewContent } from '../../model/views/view-values.ts'
import { readOnlyOf } from '../../platform/http/body/read-only-fields.ts'
import { type BodyError, Problem } from '../../platform/http/problems.ts'
import { applyStructure } from '../structure/apply-structure.ts'
import { resolveStructure } from '../structure/resolve-structure.ts'
import { limitErrors, lineErrors } from './line-errors.ts'
import type { Lookups } from './look-up-references.ts'

/** A line of a push: a product, or the errors of the line. */
export type PushedLine = { line: number } & (
  | {
      sku: string
      product: PushedProduct
      /** Counts as part of the size of its product for later lines. */
      bytes?: number
      /** The provenance of a proposal line, which was resolved when the line was proposed. */
      provenance?: NewEntries | undefined
    }
  | { sku: string | null; errors: BodyError[] }
)

/** The state of a product while lines are applied to it, in order. */
export type ProductState = {
  /** undefined until a new product is written */
  id: number | undefined
  /** Before the first step, like the score and the provenance. */
  version: number
  quality_score: number
  quality_ruleset: number
  provenance: Entries
  /** What a new product is created with; undefined for an existing product. */
  created: { content: Content; levels: StockLevels; provenance?: NewEntries | undefined } | undefined
  content: Content
  levels: StockLevels
  /** Changes that each create a version. */
  steps: Differences[]
  /** Stock changes. */
  adjustments: { delta: number; quantity: number }[]
  /** The axes of a variant whose parent or attributes a line has changed. */
  axes?: string[] | undefined
}

/** The result of a line. A new product has an ID only after the write. */
export type AppliedLine = {
  line: number
  sku: string | null
  product: ProductState | undefined
  outcome: 'created' | 'updated' | 'unchanged' | 'rejected'
  /** The version that the line created; null if it created none. */
  version: number | null
  errors: BodyError[]
  /** Values that are written although they do not match an attribute definition. */
  warnings?: BodyError[]
  /** Fields before and after, for a dry run. */
  changes: { before: object; after: object } | undefined
}

/** How the lines of a push are applied. */
export type Rules = {
  mode: PushMode
  ruleset: Ruleset
  /** Whether references to unknown SKUs are rejected. */
  isStrict?: boolean
}

/** `products` has the state of existing products. A new product is added to it. */
export function applyLine(
  line: PushedLine,
  rules: Rules,
  products: Map<string, ProductState>,
  lookups: Lookups,
): AppliedLine {
  if ('errors' in line) return rejectLine(line, line.errors, undefined)
  const state = products.get(line.sku)
  try {
    if (state === undefined) return create(line, rules, products, lookups)
    if (rules.mode === 'create') return rejectLine(line, [], state)
    return change(line, rules, state, lookups)
  } catch (error) {
    if (error instanceof Problem) return rejectLine(line, lineErrors(error), state)
    throw error
  }
}

type Line = Extract<PushedLine, { product: PushedProduct }>

/** The references of a line, and their errors. */
function resolveNames(
  product: PushedProduct,
  content: Pick<Content, 'sku' | 'media'> & ViewContent,
  { isStrict = false, ruleset }: Pick<Rules, 'isStrict' | 'ruleset'>,
  lookups: Lookups,
) {
  const { sku, media: current } = content
  const ownSkus = [sku, product.sku]
  const { resolved, errors } = resolveStructure(product, lookups.products, { isStrict, ownSkus })
  const { categories } = product
  const { media, errors: mediaErrors } = resolveMedia(product.media, current, lookups.assets)
  const { views, errors: viewErrors } = resolveViews(product.views, content, lookups.assets)
  return {
    resolved: views === undefined ? product : { ...product, views },
    names: () => ({ categories: categories && lookups.categories.pick(categories), media, ...resolved }),
    errors: [
      ...lookups.categories.findErrors(categories ?? []),
      ...errors,
      ...mediaErrors,
      ...viewErrors,
      ...findUnknownViews(views, ruleset.views),
    ],
  }
}

/** Derives axes and provenance from the new content of a product, and checks it. `before` is undefined for a new product. */
function checkContent(
  product: PushedProduct,
  before: Content | undefined,
  after: Content,
  lookups: Lookups,
  provenance?: NewEntries,
) {
  const { axes, errors: structureErrors } = applyStructure(product, before, after, lookups.products)
  const step = before && differences(before, after)
  const sides = before === undefined ? { before: defaultContent, after } : step
  const { entries, errors: provenanceErrors } =
    provenance === undefined
      ? resolveProvenance(product.provenance, lookups.versions, sides)
      : { entries: entriesOf(provenance, step), errors: [] }
  const directionErrors = sides === undefined ? [] : findDirectionErrors(step?.before, sides.after)
  return { step, axes, entries, errors: [...directionErrors, ...structureErrors, ...provenanceErrors] }
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
  rules: Rules,
  products: Map<string, ProductState>,
  lookups: Lookups,
): AppliedLine {
  const { sku, product } = line
  const { mode, ruleset } = rules
  if (mode === 'update') throw unknownSku(sku)
  const { names, resolved, errors: unresolved } = resolveNames(product, { sku, media: [] }, rules, lookups)
  const nameErrors = product.name === undefined ? [nameRequired] : []
  const errors = [...nameErrors, ...findReadOnlyErrors(product, lookups.shown), ...unresolved]
  if (product.name === undefined || errors.length > 0) return rejectLine(line, errors, undefined)
  const { quantity, reserved, ...inventory } = initialStock(product.inventory)
  const levels = { quantity, reserved }
  if (quantity < 0 && !inventory.backorders) return rejectLine(line, [negativeQuantityError], undefined)
  const patched = patchContent({ ...defaultContent, sku, name: product.name }, resolved, names())
  const content: Content = { ...patched, inventory }
  stampSources(undefined, content, resolved.views, ruleset.views)
  const { axes, entries, ...checked } = checkContent(product, undefined, content, lookups, line.provenance)
  if (checked.errors.length > 0) return rejectLine(line, checked.errors, undefined)
  const found = checkWrite(ruleset.attributeChecks, undefined, content, {
    ...product,
    attributes: content.attributes,
  })
  if (found !== undefined && found.errors.length > 0)
    return rejectLine(line, limitErrors(found.errors), undefined)
  const state: ProductState = {
    ...{ id: undefined, version: 1, quality_score: 0, quality_ruleset: 0, provenance: {}, axes },
    ...{ created: { content, levels, provenance: entries }, content, levels, steps: [], adjustments: [] },
  }
  products.set(sku, state)
  const changes = { before: {}, after: { ...content, inventory: { ...inventory, ...levels } } }
  const warnings = warningsOf(found)
  const result = { outcome: 'created', version: state.version } as const
  return { line: line.line, sku, product: state, ...result, errors: [], ...warnings, changes }
}

function unknownSku(sku: string): Problem {
  const message = `no product has the SKU "${sku}", and mode=update creates none`
  return new Problem('invalid_body', { errors: [{ pointer: '/sku', code: 'not_found', message }] })
}

/** Leaves `warnings` out if there are none. */
function warningsOf(found: AttributeErrors | undefined): Pick<AppliedLine, 'warnings'> {
  if (found === undefined || found.warnings.length === 0) return {}
  return { warnings: limitErrors(found.warnings) }
}

function change(line: Line, rules: Rules, state: ProductState, lookups: Lookups): AppliedLine {
  const { product, errors: readOnlyErrors } = compareReadOnly(line.product, state, lookups.shown)
  const { ruleset } = rules
  const own = { ...state.content, sku: line.sku }
  const { names, resolved, errors: unresolved } = resolveNames(product, own, rules, lookups)
  const early = [...readOnlyErrors, ...unresolved]
  if (early.length > 0) return rejectLine(line, early, state)
  const next = patchContent(state.content, resolved, names())
  stampSources(state.content, next, resolved.views, ruleset.views)
  const { step, axes, entries, errors } = checkContent(product, state.content, next, lookups, line.provenance)
  if (errors.length > 0) return rejectLine(line, errors, state)
  const found = checkWrite(ruleset.attributeChecks, state.content, next, product)
  // A product that was read can be sent back unchanged, including values that are older than their definition.
  const isSentBack = step === undefined && readOnlyOf(line.product) !== undefined
  if (!isSentBack && found !== undefined && found.errors.length > 0)
    return rejectLine(line, limitErrors(found.errors), state)
  const before = state.levels
  const { quantity = before.quantity, reserved = before.reserved } = product.inventory ?? {}
  const levels = { quantity, reserved }
  if ((product.inventory?.quantity ?? 0) < 0 && !next.inventory.backorders)
    return rejectLine(line, [negativeQuantityError], state)
  rejectNegativeStock({ ...next.inventory, ...levels })
  const changesStock = quantity !== before.quantity || reserved !== before.reserved
  if (changesStock) {
    state.adjustments.push({ delta: quantity - before.quantity, quantity })
    state.levels = levels
  }
  if (step !== undefined) {
    state.steps.push(entries === undefined ? step : { ...step, provenance: entries })
    state.content = next
    if (axes !== undefined) state.axes = axes
  }
  const outcome = step === undefined && !changesStock ? 'unchanged' : 'updated'
  const changes = changesStock ? withStock(step, before, levels) : step
  const version = step === undefined ? null : state.version + state.steps.length
  const { line: number, sku } = line
  return { line: number, sku, product: state, outcome, version, errors: [], ...warningsOf(found), changes }
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

export function rejectLine(
  { line, sku }: { line: number; sku: string | null },
  errors: AppliedLine['errors'],
  product: ProductState | undefined,
): AppliedLine {
  return { line, sku, product, outcome: 'rejected', version: null, errors, changes: undefined }
}
