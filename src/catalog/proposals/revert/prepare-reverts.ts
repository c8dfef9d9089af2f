import { changedFields } from '../../../model/fields/changed-fields.ts'
import type { NewEntries } from '../../../model/provenance/entries.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { tryLines } from '../../batches/dry-run.ts'
import { countProductChanges, countReadable } from '../../past-contents/change-budget.sql.ts'
import { baseVersion, patchFromChanges, pushedLine } from '../merge-line.ts'
import { findCurrentProducts } from '../open-line.sql.ts'
import type { UnpreparedLine } from '../preparation.sql.ts'
import type { PrepareLines } from '../prepare-proposals.ts'
import type { Changes } from '../proposal-line.sql.ts'
import { proposeLines } from '../proposed-line.ts'
import { type AppliedChange, listAppliedChanges } from './reverted-changes.sql.ts'

/** Prepares lines that undo applied lines: each field changes back to its former value. */
export const prepareReverts: PrepareLines = async (tx, _preparation, push, unprepared) => {
  const { projectId, ruleset } = push
  const some = await firstReadable(tx, projectId, unprepared)
  const changeByLine = new Map((await listAppliedChanges(tx, projectId, some)).map((one) => [one.line, one]))
  const lines = some.map((line) => {
    const change = changeByLine.get(line.line)
    const changes = inverse(line, change)
    const provenance = restored(change, changes)
    return {
      ...line,
      outcome: 'updated',
      state: 'open',
      changes,
      patch: patchFromChanges('updated', changes),
      base_version: baseVersion(changes, line.version),
      categories: null,
      provenance,
    } as const
  })
  const products = await findCurrentProducts(tx, projectId, lines, false)
  const read = lines.map((line) => pushedLine(line, products))
  const { apply, proposed: proposedLine } = proposeLines(ruleset)
  const applied = await tryLines(tx, push, read, apply)
  return applied.map((line, index) => {
    const { changes, patch, base_version, provenance, product_id, turn } = lines[
      index
    ] as (typeof lines)[number]
    const proposed = proposedLine(line, new Map(), turn)
    const row = { ...proposed, product_id, provenance }
    const inverted = { changes, patch, base_version }
    if (proposed.state !== 'rejected') return { ...row, ...inverted }
    // The conflict may be with what earlier lines undo, so the line is checked again when it is applied.
    const exists = products.byId.has(product_id)
    return exists ? { ...row, outcome: 'updated', state: 'open', errors: null, ...inverted } : row
  })
}

/** The lines whose changes one statement can read. The next batch prepares the others. */
async function firstReadable(
  tx: Queryable,
  projectId: number,
  lines: readonly UnpreparedLine[],
): Promise<readonly UnpreparedLine[]> {
  const ids = lines.map(({ product_id }) => product_id)
  const changes = await countProductChanges(tx, projectId, ids)
  return lines.slice(0, countReadable(ids.map((id) => changes.get(id) ?? 0)))
}

/** A product that the proposal created is archived, not deleted. */
function inverse({ changes: stock }: UnpreparedLine, change: AppliedChange | undefined): Changes {
  const { before, after = {} } = change ?? {}
  if (before === null) {
    const { status = 'pending' } = after as { status?: string }
    return { status: { before: status, after: 'archived' } }
  }
  const fields = before === undefined ? [] : [...changedFields({ before, after })]
  const all = [...fields, ...Object.entries(stock ?? {})]
  return Object.fromEntries(all.map(([field, one]) => [field, { before: one.after, after: one.before }]))
}

/** The former provenance of these fields. */
function restored(change: AppliedChange | undefined, changes: Changes): NewEntries | null {
  const entries = Object.entries(change?.provenance ?? {}).filter(([field]) => field in changes)
  return entries.length === 0 || change?.before === null ? null : Object.fromEntries(entries)
}
