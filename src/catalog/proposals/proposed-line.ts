import type { Content } from '../../model/product/product-content.ts'
import type { NewEntries } from '../../model/provenance/entries.ts'
import { scoreByRuleset, scoreProduct } from '../../model/quality/quality-score.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import type { ApplyAround } from '../batches/apply-batch.ts'
import type { AppliedLine } from '../batches/apply-line.ts'
import { errorsOf } from '../batches/line-errors.ts'
import { baseVersion, patchFromChanges } from './merge-line.ts'
import type { ProposedLine } from './proposal-line.sql.ts'
import { type FreshPaths, proposedChanges } from './proposed-changes.ts'

/** What is known only while the line is applied, because other lines may change the same product. */
type LineNote = {
  /** Of the stored product; null after earlier lines of the proposal. */
  version: number | null
  before: number | null
  after: number | null
  provenance: NewEntries | null
}
const emptyNote: LineNote = { version: null, before: null, after: null, provenance: null }

type Proposing = {
  apply: ApplyAround
  /** The stored form of a line that was applied with `apply`. */
  proposed(applied: AppliedLine, paths: FreshPaths, turn: number): ProposedLine
}

/** Applies lines, and records the scores before and after each line and what a prompt wrote. */
export function proposeLines(ruleset: Ruleset): Proposing {
  const notes = new Map<number, LineNote>()
  const scoreOf = (content: Content) => scoreProduct(content, ruleset).score

  return {
    apply(line, state, apply) {
      const steps = state?.steps.length ?? 0
      const isStored = state?.id !== undefined && steps === 0
      const before =
        state && (isStored ? scoreByRuleset(state, state.content, ruleset) : scoreOf(state.content))
      const applied = apply()
      const { product, outcome } = applied
      if (product === undefined || outcome === 'rejected') {
        notes.set(line.line, { ...emptyNote, before: before ?? null })
        return applied
      }
      const written = outcome === 'created' ? product.created : product.steps[steps]
      notes.set(line.line, {
        version: isStored ? state.version : null,
        before: before ?? null,
        after: outcome === 'unchanged' ? (before ?? null) : scoreOf(product.content),
        provenance: written?.provenance ?? null,
      })
      return applied
    },
    proposed: (applied, paths, turn) =>
      proposedLine(applied, notes.get(applied.line) ?? emptyNote, paths, turn),
  }
}

function proposedLine(applied: AppliedLine, note: LineNote, paths: FreshPaths, turn: number): ProposedLine {
  const { line, sku, product, outcome, warnings = null } = applied
  const errors = errorsOf(applied)
  const isRejected = outcome === 'rejected'
  const changes = isRejected ? null : proposedChanges(applied, paths)
  return {
    line,
    product_id: product?.id ?? null,
    sku,
    turn,
    outcome,
    state: isRejected ? 'rejected' : 'open',
    changes,
    patch: changes && patchFromChanges(outcome, changes),
    base_version: baseVersion(changes, note.version),
    categories: null,
    provenance: note.provenance,
    score_before: note.before,
    score_after: note.after,
    errors: errors.length === 0 ? null : errors,
    warnings,
  }
}
