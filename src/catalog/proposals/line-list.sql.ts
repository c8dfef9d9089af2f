import { proposalLimits } from '../../model/limits/proposals.ts'
import type { NewEntries } from '../../model/provenance/entries.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { join, raw, sql } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import { jsonbBytes } from '../../platform/database/statements/stored-bytes.ts'
import { listFirstContents } from './first-contents.sql.ts'
import type { LineFlag, LineState, Outcome, ProposalLine } from './proposal.schema.ts'
import type { Changes, Conflicts } from './proposal-line.sql.ts'

/** A line, with its change from the history of its product. */
export type ListedLine = Omit<
  ProposalLine,
  'changes' | 'score' | 'errors' | 'warnings' | 'conflicts' | 'flags' | 'original' | 'provenance'
> & {
  changes: Changes | null
  errors: ProposalLine['errors'] | null
  warnings: ProposalLine['errors'] | null
  conflicts: Conflicts | null
  flags: LineFlag[] | null
  original: Changes | null
  provenance: NewEntries | null
  score_before: number | null
  score_after: number | null
  before: object | null
  after: object | null
}

type LineFilters = {
  outcome?: Outcome
  state?: LineState
  flag?: LineFlag
  line?: number
  ordering?: 'line' | 'flagged'
}

type Row = ListedLine & {
  bytes: number
  /** The number of changes to a product that the line created, if its first content has to be derived from them. */
  changes_since: number | null
}

const smallBytes = 500
const storedBytes = (columns: readonly string[]) =>
  join(
    columns.map((column) => sql`coalesce(${jsonbBytes(raw(column))}, 0)`),
    ' + ',
  )
const lineBytes = sql`(${storedBytes([
  ...['changes', 'errors', 'conflicts', 'original', 'provenance'].map((name) => `found.${name}`),
  ...['made.before', 'made.after'],
])} + ${smallBytes}::int)`

export async function listLines(
  database: Queryable,
  projectId: number,
  proposalId: number,
  filters: LineFilters,
  page: PageRequest,
  maxBytes: number,
): Promise<Page<ListedLine>> {
  const found = await selectLines(database, projectId, proposalId, filters, page, maxBytes)
  const created = found.results.flatMap(({ product_id, changes_since }) =>
    product_id === null || changes_since === null ? [] : { product_id, changes: changes_since },
  )
  const changes = found.results.map(({ changes_since }) => changes_since ?? 0)
  if (created.length > 1 && sum(changes) > proposalLimits.pageChanges)
    return { count: found.count, results: [], withheld: changes, maxChanges: proposalLimits.pageChanges }
  const bytesLeft = maxBytes - sum(found.results.map(({ bytes }) => bytes))
  // A single line on a page is always shown.
  const bound = found.results.length === 1 ? Number.MAX_SAFE_INTEGER : bytesLeft
  return withContents(found, await listFirstContents(database, projectId, created, bound))
}

function withContents(
  { results, ...found }: Page<Row>,
  contents: Awaited<ReturnType<typeof listFirstContents>>,
): Page<ListedLine> {
  const contentOf = ({ product_id, changes_since }: Row) =>
    changes_since === null ? undefined : contents.get(product_id ?? 0)
  if (contents.values().some(({ content, bytes }) => content === null && bytes > 0))
    return {
      ...found,
      results: [],
      withheld: results.map((row) => row.bytes + (contentOf(row)?.bytes ?? 0)),
    }
  const lines = results.map((row) => {
    const { bytes: _bytes, changes_since: _since, ...line } = row
    return { ...line, after: line.after ?? contentOf(row)?.content ?? null }
  })
  return { ...found, results: lines }
}

function selectLines(
  database: Queryable,
  projectId: number,
  proposalId: number,
  { outcome, state, flag, line, ordering }: LineFilters,
  page: PageRequest,
  maxBytes: number,
): Promise<Page<Row>> {
  const where = [
    sql`own.project_id = ${projectId} and own.proposal_id = ${proposalId}`,
    ...(outcome === undefined ? [] : [sql`own.outcome = ${outcome}`]),
    ...(state === undefined ? [] : [sql`own.state = ${state}`]),
    ...(line === undefined ? [] : [sql`own.line = ${line}`]),
    ...(flag === undefined ? [] : [sql`own.flags @> array[${flag}::text]`]),
  ]
  return selectPage(database, {
    columns: sql`own.line, own.sku, own.product_id, own.outcome, own.state, own.version, own.changes, own.errors, own.warnings,
      own.conflicts, own.flags, own.original, own.provenance, own.score_before, own.score_after`,
    from: sql`proposal_lines as own`,
    where: join(where, ' and '),
    orderBy: ordering === 'flagged' ? sql`coalesce(cardinality(own.flags), 0) = 0, own.line` : sql`own.line`,
    page,
    bound: { rowBytes: sql`page.bytes`, maxBytes },
    // Only applied lines have a version.
    extra: {
      columns: sql`made.before, made.after, made.changes_since, ${lineBytes} as bytes`,
      join: sql`left join lateral (
        select change.before, change.after, case when change.after is null then (
          select product.version from products as product
          where product.project_id = change.project_id and product.id = change.product_id
        ) end as changes_since
        from product_history as change
        where found.state = 'applied' and change.project_id = ${projectId} and change.product_id = found.product_id
          and change.version = found.version
        limit 1
      ) as made on true`,
    },
  })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
