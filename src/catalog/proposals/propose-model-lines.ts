import type { FieldChange } from '../../model/fields/changed-fields.ts'
import { nestFields } from '../../model/fields/field-paths.ts'
import { isSameValue } from '../../model/fields/same-value.ts'
import { isSourcePath, readViewPath, sourcesKey, viewKey } from '../../model/fields/view-paths.ts'
import { contentValueAt } from '../../model/product/product-content.ts'
import type { NewEntries } from '../../model/provenance/entries.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Push } from '../batches/apply-batch.ts'
import type { AppliedLine, ProductState, PushedLine } from '../batches/apply-line.ts'
import { tryLines } from '../batches/dry-run.ts'
import { readProduct } from '../batches/read-lines.ts'
import { planBatches } from '../batches/write-batches.ts'
import { addModelOutcomes, type ModelKey } from '../prompts/model-outcomes.sql.ts'
import { openProposal } from './create-proposal.ts'
import { type CurrentProducts, findCurrentProducts } from './open-line.sql.ts'
import type { LineFlag } from './proposal.schema.ts'
import type { NewProposal, ProposalRow } from './proposal.sql.ts'
import type { Changes, Patch, ProposedLine } from './proposal-line.sql.ts'
import { proposeLines } from './proposed-line.ts'

/** What a model wrote for a product. */
export type ModelLine = {
  line: number
  product_id: number
  /** When the model read the product; shown if the product no longer exists. */
  sku: string
  /** By field, such as `description` or `attributes.color`. */
  values: Record<string, unknown>
  /** The version that the model read, and its value of each field in `values`; null if it had none. */
  base: {
    version: number
    values: Record<string, unknown>
    /** In a view: the fingerprints of the texts that the model read, by field without the view. */
    sources?: Record<string, string> | undefined
  }
  flags: LineFlag[]
}

type ProposingModelLines = Pick<NewProposal, 'title' | 'tokenId'> & {
  push: Push
  run: { id: number; writtenBy: ModelKey }
}

/**
 * Stores a proposal with what a run wrote, in the transaction of the caller, which also marks the responses and changes the run.
 * Lines are checked like push lines. A field that someone has changed since the model read it becomes a conflict when the line is
 * applied; a field that the model did not change is left out. Also counts the lines in the outcomes of the model, which stay locked:
 * the caller locks the run first. Each batch is at most 500 lines, with one line per product in a proposal.
 */
export async function proposeModelLines(
  tx: Transaction,
  { push, run, ...proposing }: ProposingModelLines,
  batches: Iterable<readonly ModelLine[]> | AsyncIterable<readonly ModelLine[]>,
): Promise<ProposalRow> {
  const proposal = await openProposal(tx, push, { ...proposing, origin: 'run', run }, async (add) => {
    for await (const lines of batches)
      for await (const rows of checkModelLines(tx, push, lines, run.writtenBy)) await add(rows)
  })
  const { total: lines, outcomes } = proposal.summary
  await addModelOutcomes(tx, push.projectId, [{ ...run.writtenBy, lines, rejected: outcomes.rejected }])
  return proposal
}

async function* checkModelLines(
  tx: Transaction,
  push: Push,
  lines: readonly ModelLine[],
  writtenBy: ModelKey,
): AsyncGenerator<ProposedLine[]> {
  const byLine = new Map(lines.map((line) => [line.line, line]))
  const named = lines.map(({ product_id }) => ({ product_id, ...noPatch }))
  const products = await findCurrentProducts(tx, push.projectId, named, false)
  const read = lines.map((line) => readModelLine(line, products))
  const { apply, proposed } = proposeLines(push.ruleset)
  for await (const part of planBatches(tx, push.projectId, only(read), false)) {
    const applied = await tryLines(tx, push, part.lines, apply)
    yield applied.map((line) => {
      const given = byLine.get(line.line) as ModelLine
      const row = { ...proposed(line, new Map(), 0), product_id: given.product_id, flags: given.flags }
      return row.state === 'rejected' ? row : { ...row, ...basedOn(given, line, writtenBy) }
    })
  }
}

const noPatch = { outcome: 'updated', patch: null, changes: null } as const

async function* only<Item>(item: Item): AsyncGenerator<Item> {
  yield item
}

/** The line as a push line with the current SKU of its product, without the values that the model did not change. */
function readModelLine(
  { line, product_id, sku, values, base }: ModelLine,
  { byId }: CurrentProducts,
): PushedLine {
  const product = byId.get(product_id)
  if (product === undefined) {
    const message = `product ${product_id} no longer exists`
    return { line, sku, errors: [{ pointer: '', code: 'not_found', message }] }
  }
  const changed = Object.entries(values).filter(
    ([field, value]) => !isSameValue(field, value ?? null, base.values[field] ?? null),
  )
  const read = readProduct({ sku: product.sku, ...nestFields(changed) })
  if ('errors' in read) return { line, sku: product.sku, errors: read.errors }
  return { line, sku: product.sku, product: read.product, bytes: JSON.stringify(read.product).length }
}

/** The changes of a checked line from what the model read, instead of the current product. */
function basedOn(
  { values, base }: ModelLine,
  { outcome, product }: AppliedLine,
  { prompt_id, version_number, model }: ModelKey,
): Pick<ProposedLine, 'outcome' | 'changes' | 'patch' | 'base_version' | 'provenance'> {
  const entry = { prompt_id, version_number, model, reviewed_by: null }
  const fields = Object.entries(values).flatMap(([field, value]): [string, FieldChange][] => {
    const before = base.values[field] ?? null
    const after = contentValueAt(product as ProductState, field) ?? null
    const source = sourceOf(field, base.sources, product as ProductState)
    const isSame = isSameValue(field, before, after)
    const isKept = isSame || isSameValue(field, value ?? null, before)
    // A model that repeats a stale text confirms it.
    if (isKept && !(isSame && isSameValue(field, value ?? null, before) && isRenewed(source))) return []
    const change: [string, FieldChange] = [field, { before, after }]
    return source === undefined ? [change] : [change, source]
  })
  // From entries, because an attribute can be named __proto__.
  const changes: Changes = Object.fromEntries(fields)
  const written = fields.filter(([field, { after }]) => after !== null && !isSourcePath(field))
  const provenance: NewEntries = Object.fromEntries(written.map(([field]) => [field, entry]))
  const patch: Patch = nestFields(fields.map(([field, { after }]): [string, unknown] => [field, after]))
  const isUnchanged = fields.length === 0
  return {
    outcome: isUnchanged ? 'unchanged' : outcome === 'unchanged' ? 'updated' : outcome,
    changes,
    patch,
    base_version: base.version,
    provenance,
  }
}

function isRenewed(source: [string, FieldChange] | undefined): boolean {
  return source !== undefined && source[1].before !== source[1].after
}

/** The fingerprint of what the model read, which the view gets together with its text. */
function sourceOf(
  field: string,
  sources: Record<string, string> | undefined,
  product: ProductState,
): [string, FieldChange] | undefined {
  const path = readViewPath(field)
  if (path === undefined || sources === undefined) return undefined
  const name = path.key === undefined ? path.field : `${path.field}.${path.key}`
  // An attribute that is not a text has no source.
  if (!Object.hasOwn(sources, name) || typeof contentValueAt(product, field) !== 'string') return undefined
  const place = `${viewKey(path.code)}.${sourcesKey}.${name}`
  return [place, { before: contentValueAt(product, place) ?? null, after: sources[name] }]
}
