import type { FieldChange } from '../../model/fields/changed-fields.ts'
import { proposalLimits } from '../../model/limits/proposals.ts'
import type { PushedProduct } from '../../model/product/product-input.schema.ts'
import type { NewEntries } from '../../model/provenance/entries.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import { jsonRows } from '../../platform/database/statements/json-rows.ts'
import { jsonbBytes } from '../../platform/database/statements/stored-bytes.ts'
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

/** A line that is read to be applied. */
export type OpenLine = Pick<
  ProposedLine,
  'line' | 'product_id' | 'sku' | 'outcome' | 'patch' | 'base_version' | 'categories' | 'provenance'
> & {
  state: LineState
  bytes: number
  /** Read only if the product may have changed since, because changes are twice as large as the patch. */
  changes: Changes | null
}

const openLineColumns = sql`line, product_id, sku, outcome, state, patch, base_version, categories, provenance,
  case when patch is null then changes end as changes, coalesce(${jsonbBytes(sql`changes`)}, 0) as bytes`

/** The lines to apply: all open lines, or the selected lines that are not written. */
export type Wanted = { numbers: number[] | undefined; states: LineState[] }

/** The turns of the lines. */
export async function listTurns(
  database: Queryable,
  projectId: number,
  proposalId: number,
  { states }: Wanted,
): Promise<number[]> {
  const rows = await database.query(
    planEachTime(sql<{ turn: number }>`
      select distinct turn from proposal_lines
      where project_id = ${projectId} and proposal_id = ${proposalId} and state = any(${states}::text[]) order by turn`),
  )
  return rows.map(({ turn }) => turn)
}

/** The next lines of a turn, at least one and up to a total size, and whether they are the last. */
export async function listLinesAfter(
  database: Queryable,
  projectId: number,
  proposalId: number,
  { numbers, states }: Wanted,
  { turn, after }: { turn: number; after: number },
): Promise<{ lines: OpenLine[]; areLast: boolean }> {
  const named = numbers === undefined ? sql`true` : sql`line = any(${numbers}::int[])`
  const rows = await database.query(
    planEachTime(sql<OpenLine & { ahead: number }>`
      with sized as materialized (
        select line, ${jsonbBytes(sql`changes`)} as bytes from proposal_lines
        where project_id = ${projectId} and proposal_id = ${proposalId} and state = any(${states}::text[]) and turn = ${turn}
          and line > ${after} and outcome is not null and ${named}
        order by line limit ${proposalLimits.appliedLines}
      ), summed as (
        select line, bytes, sum(bytes) over (order by line) as bytes_up_to from sized
      )
      select ${openLineColumns}, (select count(*) from sized) as ahead
      from proposal_lines
      -- An array is looked up by the key, even if the statistics of a table that was just filled are wrong.
      where project_id = ${projectId} and proposal_id = ${proposalId} and line = any(array(
        select line from summed where bytes_up_to is null or bytes_up_to <= ${proposalLimits.appliedBytes} or bytes_up_to = bytes))
      order by line`),
  )
  const lines = rows.map(({ ahead: _ahead, ...line }) => line)
  const ahead = rows[0]?.ahead ?? 0
  return { lines, areLast: ahead === lines.length && ahead < proposalLimits.appliedLines }
}

/** The proposed changes of lines. */
export async function findChanges(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  numbers: number[],
): Promise<Map<number, Changes>> {
  const rows = await tx.query(
    planEachTime(sql<{ line: number; changes: Changes }>`
      select line, changes from proposal_lines
      where project_id = ${projectId} and proposal_id = ${proposalId} and line = any(${numbers}::int[]) and changes is not null`),
  )
  return new Map(rows.map(({ line, changes }) => [line, changes]))
}

export type LockedLine = {
  line: number
  state: LineState
  /** Whether its values differ from the original. */
  is_edited: boolean
  /** Whether it must be read again, because an edit may have followed the first read. */
  is_stale: boolean
}

/**
 * Locks the lines that are still in one of the states until the transaction ends, except for lines that were edited after the
 * revision.
 */
export async function lockLines(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  numbers: number[],
  states: LineState[],
  revision?: number,
): Promise<Map<number, LockedLine>> {
  const isReviewed = revision === undefined ? sql`true` : sql`coalesce(edited_in, 0) <= ${revision}`
  const rows = await tx.query(
    planEachTime(sql<LockedLine>`
      select line, state, original is not null as is_edited, edited_in is not null as is_stale from proposal_lines
      where project_id = ${projectId} and proposal_id = ${proposalId} and line = any(${numbers}::int[])
        and state = any(${states}::text[]) and ${isReviewed}
      order by line for no key update`),
  )
  return new Map(rows.map((row) => [row.line, row]))
}

/** Locked lines as they are now. */
export async function findLines(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  numbers: number[],
): Promise<Map<number, OpenLine>> {
  const rows = await tx.query(
    planEachTime(sql<OpenLine>`
      select ${openLineColumns} from proposal_lines
      where project_id = ${projectId} and proposal_id = ${proposalId} and line = any(${numbers}::int[])`),
  )
  return new Map(rows.map((row) => [row.line, row]))
}

/** The IDs of products that lines of the proposal have created, by the SKU of the line. */
export async function findCreated(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  skus: string[],
): Promise<Map<string, number>> {
  const rows = await tx.query(
    planEachTime(sql<{ sku: string; product_id: number }>`
      select sku, product_id from proposal_lines
      where project_id = ${projectId} and proposal_id = ${proposalId} and state = 'applied' and outcome = 'created'
        and sku = any(${skus}::text[])`),
  )
  return new Map(rows.map(({ sku, product_id }) => [sku, product_id]))
}

/** The stored result of a line. */
export type AppliedState = {
  line: number
  state: LineState
  product_id: number | null
  version: number | null
  /** Stock changes of an applied line, which the history does not record. */
  stock: Changes | null
  errors: ProposalLine['errors'] | null
  conflicts: Conflicts | null
}

export async function updateLines(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  lines: readonly AppliedState[],
): Promise<void> {
  await tx.query(
    planEachTime(sql`
      with input as materialized (
        select ${projectId}::bigint as project_id, ${proposalId}::bigint as proposal_id, (line ->> 'line')::int as line,
               line ->> 'state' as state, (line ->> 'product_id')::bigint as product_id, (line ->> 'version')::int as version,
               nullif(line -> 'stock', 'null') as stock, nullif(line -> 'errors', 'null') as errors,
               nullif(line -> 'conflicts', 'null') as conflicts
        from ${jsonRows(lines)}
      )
      update proposal_lines as own set
        state = input.state,
        product_id = coalesce(own.product_id, input.product_id),
        version = input.version,
        changes = case when input.state = 'applied' then input.stock else own.changes end,
        patch = case when input.state = 'applied' then null else own.patch end,
        errors = input.errors,
        conflicts = input.conflicts
      from input
      where (own.project_id, own.proposal_id, own.line) = (input.project_id, input.proposal_id, input.line)`),
  )
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
