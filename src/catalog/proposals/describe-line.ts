import { changedFields } from '../../model/fields/changed-fields.ts'
import { isSourcePath } from '../../model/fields/view-paths.ts'
import { showChanges } from '../../model/product/show-media.ts'
import type { NewEntries } from '../../model/provenance/entries.ts'
import type { ListedLine } from './line-list.sql.ts'
import type { ProposalLine } from './proposal.schema.ts'
import { creationFields } from './proposed-changes.ts'

/** A line as responses show it. The changes of an applied line are in the history of its product. */
export function describeLine(line: ListedLine, baseUrl: () => string): ProposalLine {
  const {
    changes,
    errors,
    warnings,
    conflicts,
    flags,
    original,
    provenance,
    score_before,
    score_after,
    before,
    after,
    ...own
  } = line
  const applied =
    after === null ? [] : before === null ? creationFields(after) : changedFields({ before, after })
  return {
    ...own,
    changes: showChanges(readable([...applied, ...Object.entries(changes ?? {})]), baseUrl),
    score: { before: score_before, after: score_after },
    errors: errors ?? [],
    ...(warnings !== null && { warnings }),
    ...(conflicts !== null && { conflicts: showChanges(conflicts, baseUrl) }),
    ...(original !== null && { original: showChanges(readable(Object.entries(original)), baseUrl) }),
    ...(flags !== null && flags.length > 0 && { flags }),
    provenance: shownProvenance(provenance ?? {}),
  }
}

/** Without the fingerprints of source texts. */
function readable<Change>(changes: readonly [string, Change][]): Record<string, Change> {
  return Object.fromEntries(changes.filter(([field]) => !isSourcePath(field)))
}

function shownProvenance(entries: NewEntries): ProposalLine['provenance'] {
  const fields = Object.entries(entries)
  return Object.fromEntries(
    fields.map(([field, { version: _version, at = null, ...entry }]) => [field, { ...entry, at }]),
  )
}
