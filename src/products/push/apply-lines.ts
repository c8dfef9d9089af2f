import type { CategoryLookup } from '../../categories/look-up-categories.ts'
import { Problem } from '../../http/problems.ts'
import type { ProductRow } from '../describe-product.ts'
import {
  type Content,
  contentOf,
  type Differences,
  defaultContent,
  differences,
  patchContent,
} from '../product-content.ts'
import { initialStock, refuseOwedStock, type StockLevels } from '../stock.ts'
import type { Outcome, PushedProduct, pushModes } from './product-push.schema.ts'
import { faultsOf, type PushedLine } from './read-lines.ts'

export type PushMode = (typeof pushModes)[number]

/** A product while the lines of a push are applied to it, in order. */
export type Pushed = {
  /** undefined until a new product is written */
  id: number | undefined
  /** Before the first of the steps. */
  version: number
  /** What a new product is made from; undefined for one that was there. */
  created: { content: Content; levels: StockLevels } | undefined
  content: Content
  levels: StockLevels
  /** Each change that raises the version. */
  steps: Differences[]
  /** Each change of the stock. */
  adjustments: { delta: number; quantity: number }[]
}

/** What became of a line. The product tells its id once it is written. */
export type Judgement = {
  line: number
  sku: string | null
  product: Pushed | undefined
  outcome: Outcome
  errors: ReturnType<typeof faultsOf>
  /** Fields before and after, for a dry run. */
  changes: { before: object; after: object } | undefined
}

export function heldProduct(row: ProductRow): Pushed {
  const { id, version, quantity, reserved } = row
  return {
    id,
    version,
    created: undefined,
    content: contentOf(row),
    levels: { quantity, reserved },
    steps: [],
    adjustments: [],
  }
}

/** Applies the lines in order to the products, which holds those that exist; new ones are added to it. */
export function judgeLines(
  lines: readonly PushedLine[],
  mode: PushMode,
  products: Map<string, Pushed>,
  categoryLookup: CategoryLookup,
): Judgement[] {
  return lines.map((line) => {
    if ('faults' in line) return rejection(line, line.faults, undefined)
    const held = products.get(line.sku)
    try {
      if (held === undefined) return create(line, mode, products, categoryLookup)
      if (mode === 'create') return rejection(line, [], held)
      return change(line, held, categoryLookup)
    } catch (error) {
      if (error instanceof Problem) return rejection(line, faultsOf(error), held)
      throw error
    }
  })
}

type Line = { line: number; sku: string; product: PushedProduct }

function rejection(
  { line, sku }: { line: number; sku: string | null },
  errors: Judgement['errors'],
  product: Pushed | undefined,
): Judgement {
  return { line, sku, product, outcome: 'rejected', errors, changes: undefined }
}

const owedWithoutBackorders = { pointer: '/inventory/quantity', code: 'too_small', message: 'must be >= 0' }

function create(
  line: Line,
  mode: PushMode,
  products: Map<string, Pushed>,
  categoryLookup: CategoryLookup,
): Judgement {
  const { sku, product } = line
  if (mode === 'update') {
    const message = `there is no product with the SKU "${sku}", and mode=update makes none`
    throw new Problem('invalid_body', { errors: [{ pointer: '/sku', code: 'not_found', message }] })
  }
  const faults = categoryLookup.faults(product.categories ?? [])
  if (product.name === undefined || faults.length > 0) {
    const missing = { pointer: '/name', code: 'required', message: 'is required' }
    return rejection(line, product.name === undefined ? [missing, ...faults] : faults, undefined)
  }
  const categories = categoryLookup.pick(product.categories ?? [])
  const { tracked, low_stock_threshold, backorders, ...levels } = initialStock(product.inventory)
  if (levels.quantity < 0 && !backorders) return rejection(line, [owedWithoutBackorders], undefined)
  const patched = patchContent({ ...defaultContent, sku, name: product.name }, product, categories)
  const content = { ...patched, inventory: { tracked, low_stock_threshold, backorders } }
  const held: Pushed = {
    id: undefined,
    version: 1,
    created: { content, levels },
    content,
    levels,
    steps: [],
    adjustments: [],
  }
  products.set(sku, held)
  const changes = { before: {}, after: { ...content, inventory: { ...content.inventory, ...levels } } }
  return { line: line.line, sku, product: held, outcome: 'created', errors: [], changes }
}

function change(line: Line, held: Pushed, categoryLookup: CategoryLookup): Judgement {
  const { sku, product } = line
  const faults = categoryLookup.faults(product.categories ?? [])
  if (faults.length > 0) return rejection(line, faults, held)
  const categories = product.categories === undefined ? undefined : categoryLookup.pick(product.categories)
  const next = patchContent(held.content, product, categories)
  const levels = {
    quantity: product.inventory?.quantity ?? held.levels.quantity,
    reserved: product.inventory?.reserved ?? held.levels.reserved,
  }
  if ((product.inventory?.quantity ?? 0) < 0 && !next.inventory.backorders)
    return rejection(line, [owedWithoutBackorders], held)
  refuseOwedStock({ ...next.inventory, ...levels })
  const step = differences(held.content, next)
  const before = held.levels
  const isStocked = levels.quantity !== before.quantity || levels.reserved !== before.reserved
  if (isStocked) {
    held.adjustments.push({ delta: levels.quantity - before.quantity, quantity: levels.quantity })
    held.levels = levels
  }
  if (step !== undefined) {
    held.steps.push(step)
    held.content = next
  }
  const outcome = step === undefined && !isStocked ? 'unchanged' : 'updated'
  const changes = isStocked ? withStock(step, before, levels) : step
  return { line: line.line, sku, product: held, outcome, errors: [], changes }
}

function withStock(
  step: Differences | undefined,
  before: StockLevels,
  after: StockLevels,
): Judgement['changes'] {
  return {
    before: { ...step?.before, inventory: { ...step?.before.inventory, ...before } },
    after: { ...step?.after, inventory: { ...step?.after.inventory, ...after } },
  }
}
