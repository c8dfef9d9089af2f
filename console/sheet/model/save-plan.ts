import { fieldLabel, nestFields } from '../../../src/model/fields/field-paths.ts'
import { proposalLimits } from '../../../src/model/limits/proposals.ts'
import { strings } from '../strings.ts'
import { type Edit, type Edits, isReady } from './edits.ts'

/** Above this number of changes, a save creates a proposal. */
export const mostDirectChanges = 20

/** The changes of one product. */
export type RowChange = { id: number; sku: string; version: number; edits: Edit[] }

export type SavePlan = {
  /** Sent as patches. */
  direct: RowChange[]
  /** Sent as lines of a proposal. */
  proposed: RowChange[]
}

/** A push line names its product by SKU, so a proposal cannot change it. */
const isDirectOnly = ({ field }: Edit) => field === 'sku'

export function planSave(edits: Edits): SavePlan {
  const ready = [...edits.values()].filter(isReady)
  if (ready.length <= mostDirectChanges) return { direct: rowsOf(ready), proposed: [] }
  return {
    direct: rowsOf(ready.filter(isDirectOnly)),
    proposed: rowsOf(ready.filter((edit) => !isDirectOnly(edit))),
  }
}

function rowsOf(edits: readonly Edit[]): RowChange[] {
  return [...Map.groupBy(edits, ({ id }) => id)].map(([id, own]) => ({
    id,
    sku: own[0]?.sku ?? '',
    // If cells were edited at different versions, the oldest one decides whether someone else changed the product.
    version: Math.min(...own.map(({ version }) => version)),
    edits: own,
  }))
}

/** A merge patch of the changes. */
export function patchOf(edits: readonly Edit[]): Record<string, unknown> {
  return nestFields(edits.map(({ field, value }) => [field, value]))
}

export function linesOf(rows: readonly RowChange[]): string[] {
  return rows.map(({ sku, edits }) => JSON.stringify({ sku, ...patchOf(edits) }))
}

const mostNamed = 3

/** Names the fields and the number of products. */
export function proposalTitle(rows: readonly RowChange[]): string {
  const fields = [
    ...new Set(rows.flatMap(({ edits }) => edits.map(({ field }) => fieldLabel(field).toLowerCase()))),
  ]
  const named = fields.slice(0, mostNamed).join(', ')
  const more = fields.length - mostNamed
  const words = more > 0 ? strings.save.moreFields(named, more) : named
  return strings.save.proposalTitle(words, rows.length).slice(0, proposalLimits.titleCharacters)
}
