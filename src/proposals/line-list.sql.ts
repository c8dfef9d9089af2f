import type { Queryable } from '../database/database.ts'
import { type Page, type PageRequest, selectPage } from '../database/select-page.ts'
import { join, raw, sql } from '../database/sql.ts'
import { jsonbBytes } from '../database/stored-bytes.ts'
import { fieldsAfter } from '../products/content-before.sql.ts'
import type { Verdict } from '../products/push/verdicts.ts'
import type { NewEntries } from '../provenance/entries.ts'
import type { LineState, Outcome, ProposalLine } from './proposal.schema.ts'
import type { Changes, Conflicts } from './proposal-line.sql.ts'

/** A line, with the change that it made in the history of its product. */
export type ListedLine = Omit<
  ProposalLine,
  'changes' | 'score' | 'errors' | 'warnings' | 'conflicts' | 'provenance'
> & {
  changes: Changes | null
  errors: Verdict['errors'] | null
  warnings: Verdict['errors'] | null
  conflicts: Conflicts | null
  provenance: NewEntries | null
  score_before: number | null
  score_after: number | null
  before: object | null
  after: object | null
}

const smallBytes = 500
const lineBytes = sql`(
  ${join(
    ['changes', 'before', 'after', 'errors', 'conflicts', 'provenance'].map(
      (column) => sql`coalesce(${jsonbBytes(raw(`page.${column}`))}, 0)`,
    ),
    ' + ',
  )} + ${smallBytes}::int)`

export function listLines(
  database: Queryable,
  projectId: number,
  proposalId: number,
  { outcome, state }: { outcome?: Outcome; state?: LineState },
  page: PageRequest,
  mostBytes: number,
): Promise<Page<ListedLine>> {
  const where = [
    sql`own.project_id = ${projectId} and own.proposal_id = ${proposalId}`,
    ...(outcome === undefined ? [] : [sql`own.outcome = ${outcome}`]),
    ...(state === undefined ? [] : [sql`own.state = ${state}`]),
  ]
  return selectPage(database, {
    columns: sql`own.line, own.sku, own.product_id, own.outcome, own.state, own.version, own.changes, own.errors, own.warnings,
      own.conflicts, own.provenance, own.score_before, own.score_after`,
    from: sql`proposal_lines as own`,
    where: join(where, ' and '),
    orderBy: sql`own.line`,
    page,
    bound: { rowBytes: lineBytes, mostBytes },
    // Only an applied line has made a version.
    beside: {
      columns: sql`made.before, made.after`,
      join: sql`left join lateral (
        select change.before, ${fieldsAfter('change')} as after from product_history as change
        where found.state = 'applied' and change.project_id = ${projectId} and change.product_id = found.product_id
          and change.version = found.version
        limit 1
      ) as made on true`,
    },
  })
}
