import type { NewEntries } from '../../model/provenance/entries.ts'
import type { ModelOutcomes } from '../prompts/model-outcomes.sql.ts'
import type { AppliedState, OpenLine } from './open-line.sql.ts'

type Decisions = Required<Pick<ModelOutcomes, 'accepted' | 'edited' | 'rejected' | 'accepted_fields'>>

/** What an apply decides about lines that a model wrote. A conflict is not decided yet. */
export function countDecisions(results: readonly AppliedState[], lines: readonly OpenLine[]): Decisions {
  const byLine = new Map(lines.map((line) => [line.line, line]))
  const counts = { accepted: 0, edited: 0, rejected: 0, accepted_fields: 0 }
  for (const { line, state } of results) {
    if (state === 'rejected') counts.rejected += 1
    if (state !== 'applied') continue
    const { is_edited = false, provenance = null } = byLine.get(line) ?? {}
    counts[is_edited ? 'edited' : 'accepted'] += 1
    counts.accepted_fields += countUnedited(provenance ?? {})
  }
  return counts
}

function countUnedited(provenance: NewEntries): number {
  return Object.values(provenance).filter(({ edited }) => edited !== true).length
}
