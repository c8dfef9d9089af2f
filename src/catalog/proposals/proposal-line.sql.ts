import type { FieldChange } from '../../model/fields/changed-fields.ts'
import type { PushedProduct } from '../../model/product/product-input.schema.ts'
import type { NewEntries } from '../../model/provenance/entries.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import { jsonRows } from '../../platform/database/statements/json-rows.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { LineFlag, LineState, Outcome, Proposal, ProposalLine } from './proposal.schema.ts'

export type Changes = Record<string, FieldChange>
export type Conflicts = Record<string, { base: unknown; theirs: unknown; ours: unknown }>
/** Categories that are added and removed, by ID, or by path if they do not exist yet. */
export type ProposedCategories = { add: CategoryName[]; remove: number[] }
export type CategoryName = { id: number } | { path: string[] }
/** A push line without the current SKU of its product. */
export type Patch = Partial<PushedProduct>

/** A line as it is proposed. */
export type ProposedLine = {
  line: number
  product_id: number | null
  sku: string | null
  turn: number
  outcome: Outcome
  state: LineState
  changes: Changes | null
  patch: Patch | null
  /** The product version on which the line is based; null if none has the values from before the line. */
  base_version: number | null
  categories: ProposedCategories | null
  provenance: NewEntries | null
  score_before: number | null
  score_after: number | null
  errors: ProposalLine['errors'] | null
  warnings: ProposalLine['errors'] | null
  flags?: LineFlag[] | null
}

export async function insertLines(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  lines: readonly ProposedLine[],
): Promise<void> {
  await tx.query(sql`
    insert into proposal_lines (project_id, proposal_id, line, product_id, sku, turn, outcome, state, changes, patch,
                                base_version, categories, provenance, score_before, score_after, errors, warnings, flags)
    select ${projectId}, ${proposalId}, (line ->> 'line')::int, (line ->> 'product_id')::bigint, line ->> 'sku',
           (line ->> 'turn')::smallint, line ->> 'outcome', line ->> 'state', nullif(line -> 'changes', 'null'),
           nullif(line -> 'patch', 'null'), (line ->> 'base_version')::int, nullif(line -> 'categories', 'null'), nullif(line -> 'provenance', 'null'), (line ->> 'score_before')::smallint,
           (line ->> 'score_after')::smallint, nullif(line -> 'errors', 'null'), nullif(line -> 'warnings', 'null'),
           case when jsonb_typeof(line -> 'flags') = 'array' then array(select jsonb_array_elements_text(line -> 'flags')) end
    from ${jsonRows(lines)}`)
}

/** Rejects unknown numbers. Numbers include blank lines, so they may exceed the line count. */
export async function requireLines(
  database: Queryable,
  projectId: number,
  { id, summary }: Pick<Proposal, 'id' | 'summary'>,
  numbers: readonly number[] | undefined,
): Promise<void> {
  if (numbers === undefined) return
  const rows = await database.query(sql<{ line: number }>`
    select line from proposal_lines
    where project_id = ${projectId} and proposal_id = ${id} and line = any(${numbers}::int[])`)
  const known = new Set(rows.map(({ line }) => line))
  const place = numbers.findIndex((line) => !known.has(line))
  if (place < 0) return
  const message = `is not a line of this proposal, which has ${summary.total}`
  throw new Problem('invalid_body', { errors: [{ pointer: `/lines/${place}`, code: 'not_found', message }] })
}

/** Discards all lines that are not written, or the selected ones. Returns their number by former state. */
export function discardLines(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  numbers: number[] | undefined,
): Promise<{ state: LineState; count: number }[]> {
  const named = numbers === undefined ? sql`true` : sql`line = any(${numbers}::int[])`
  return tx.query(
    planEachTime(sql<{ state: LineState; count: number }>`
      with found as materialized (
        select project_id, proposal_id, line, state from proposal_lines
        where project_id = ${projectId} and proposal_id = ${proposalId} and state in ('open', 'conflict') and ${named}
        order by line for no key update
      ), discarded as (
        update proposal_lines as own set state = 'discarded' from found
        where (own.project_id, own.proposal_id, own.line) = (found.project_id, found.proposal_id, found.line)
      )
      select state, count(*) as count from found group by state`),
  )
}
