import type { Content } from '../../model/product/product-content.ts'
import type { NewEntries } from '../../model/provenance/entries.ts'
import { scoreByRuleset, scoreProduct } from '../../model/quality/quality-score.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import { type AppliedLine, errorsOf } from '../batches/applied-line.ts'
import type { ApplyAround } from '../batches/apply-batch.ts'
import { baseVersion } from './merge-line.ts'
import type { ProposedLine } from './proposal-line.sql.ts'
import { type FreshPaths, proposedChanges } from './proposed-changes.ts'
import { patchOf } from './pushed-lines.ts'

/** What only the moment knows in which a line is applied: the product may be changed by other lines too. */
type Note = {
  /** Of the product as it is stored; what the lines before would make of it has none yet. */
  version: number | null
  before: number | null
  after: number | null
  provenance: NewEntries | null
}
const nothing: Note = { version: null, before: null, after: null, provenance: null }

type Proposing = {
  apply: ApplyAround
  /** A line that was applied so, as it is kept. */
  proposed(applied: AppliedLine, paths: FreshPaths, turn: number): ProposedLine
}

/** Notes the scores before and after each line while the lines are applied, and what a prompt wrote. */
export function proposeLines(ruleset: Ruleset): Proposing {
  const notes = new Map<number, Note>()
  const scoreOf = (content: Content) => scoreProduct(content, ruleset).score

  return {
    apply(line, held, apply) {
      const steps = held?.steps.length ?? 0
      const isStored = held?.id !== undefined && steps === 0
      const before = held && (isStored ? scoreByRuleset(held, held.content, ruleset) : scoreOf(held.content))
      const applied = apply()
      const { product, outcome } = applied
      if (product === undefined || outcome === 'rejected') {
        notes.set(line.line, { ...nothing, before: before ?? null })
        return applied
      }
      const written = outcome === 'created' ? product.created : product.steps[steps]
      notes.set(line.line, {
        version: isStored ? held.version : null,
        before: before ?? null,
        after: outcome === 'unchanged' ? (before ?? null) : scoreOf(product.content),
        provenance: written?.provenance ?? null,
      })
      return applied
    },
    proposed: (applied, paths, turn) =>
      proposedLine(applied, notes.get(applied.line) ?? nothing, paths, turn),
  }
}

function proposedLine(applied: AppliedLine, note: Note, paths: FreshPaths, turn: number): ProposedLine {
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
    patch: changes && patchOf(outcome, changes),
    base_version: baseVersion(changes, note.version),
    categories: null,
    provenance: note.provenance,
    score_before: note.before,
    score_after: note.after,
    errors: errors.length === 0 ? null : errors,
    warnings,
  }
}
