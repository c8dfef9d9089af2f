import type { Content } from '../../model/product/product-content.ts'
import type { NewEntries } from '../../model/provenance/entries.ts'
import { scoreByRuleset, scoreProduct } from '../../model/quality/quality-score.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import { applyLine } from '../batches/apply-lines.ts'

/** What only the moment knows in which a line is applied: the product may be changed by other lines too. */
type Note = {
  /** Of the product as it is stored; what the lines before would make of it has none yet. */
  version: number | null
  before: number | null
  after: number | null
  provenance: NewEntries | null
}
const nothing: Note = { version: null, before: null, after: null, provenance: null }

/** Applies lines as a push does, and notes the scores before and after each, and what a prompt wrote. */
export function noteLines(ruleset: Ruleset): { apply: typeof applyLine; noteOf(line: number): Note } {
  const notes = new Map<number, Note>()
  const scoreOf = (content: Content) => scoreProduct(content, ruleset).score

  return {
    apply(line, rules, products, lookups) {
      const held = line.sku === null ? undefined : products.get(line.sku)
      const steps = held?.steps.length ?? 0
      const isStored = held?.id !== undefined && steps === 0
      const before = held && (isStored ? scoreByRuleset(held, held.content, ruleset) : scoreOf(held.content))
      const applied = applyLine(line, rules, products, lookups)
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
    noteOf: (line) => notes.get(line) ?? nothing,
  }
}
