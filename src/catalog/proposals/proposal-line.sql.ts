import type { FieldChange } from '../../model/fields/changed-fields.ts'
import { proposalLimits } from '../../model/limits/proposals.ts'
import type { PushedProduct } from '../../model/product/product-input.schema.ts'
import type { NewEntries } from '../../model/provenance/entries.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import { jsonRows } from '../../platform/database/statements/json-rows.ts'
import { jsonbBytes } from '../../platform/database/statements/stored-bytes.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { LineState, Outcome, Proposal, ProposalLine } from './proposal.schema.ts'

export type Changes = Record<string, FieldChange>
export type Conflicts = Record<string, { base: unknown; theirs: unknown; ours: unknown }>
/** Categories that a product gets or loses, by their ids, or by their paths where they are still to be made. */
export type CategoryEdits = { add: CategoryName[]; remove: number[] }
export type CategoryName = { id: number } | { path: string[] }
/** What a push would say beside the SKU that a product has. */
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
  /** The version of the product in which each field is what it was before the line; null where no version tells. */
  base_version: number | null
  categories: CategoryEdits | null
  provenance: NewEntries | null
  score_before: number | null
  score_after: number | null
  errors: ProposalLine['errors'] | null
  warnings: ProposalLine['errors'] | null
}

export async function insertLines(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  lines: readonly ProposedLine[],
): Promise<void> {
  await tx.query(sql`
    insert into proposal_lines (project_id, proposal_id, line, product_id, sku, turn, outcome, state, changes, patch,
                                base_version, categories, provenance, score_before, score_after, errors, warnings)
    select ${projectId}, ${proposalId}, (line ->> 'line')::int, (line ->> 'product_id')::bigint, line ->> 'sku',
           (line ->> 'turn')::smallint, line ->> 'outcome', line ->> 'state', nullif(line -> 'changes', 'null'),
           nullif(line -> 'patch', 'null'), (line ->> 'base_version')::int, nullif(line -> 'categories', 'null'), nullif(line -> 'provenance', 'null'), (line ->> 'score_before')::smallint,
           (line ->> 'score_after')::smallint, nullif(line -> 'errors', 'null'), nullif(line -> 'warnings', 'null')
    from ${jsonRows(lines)}`)
}

/** Those of the numbers that the proposal has a line for. */
async function findLineNumbers(
  database: Queryable,
  projectId: number,
  proposalId: number,
  numbers: readonly number[],
): Promise<number[]> {
  const rows = await database.query(sql<{ line: number }>`
    select line from proposal_lines
    where project_id = ${projectId} and proposal_id = ${proposalId} and line = any(${numbers}::int[])`)
  return rows.map(({ line }) => line)
}

/** Numbers count blank lines, so the last line may have a number above the count. */
export async function requireLines(
  database: Queryable,
  projectId: number,
  { id, summary }: Pick<Proposal, 'id' | 'summary'>,
  numbers: readonly number[] | undefined,
): Promise<void> {
  if (numbers === undefined) return
  const known = new Set(await findLineNumbers(database, projectId, id, numbers))
  const place = numbers.findIndex((line) => !known.has(line))
  if (place < 0) return
  const message = `is no line of this proposal, which has ${summary.total}`
  throw new Problem('invalid_body', { errors: [{ pointer: `/lines/${place}`, code: 'not_found', message }] })
}

/** A line as it is read to be applied: what it was when it was proposed. */
export type OpenLine = Pick<
  ProposedLine,
  'line' | 'product_id' | 'sku' | 'outcome' | 'patch' | 'base_version' | 'categories' | 'provenance'
> & {
  state: LineState
  bytes: number
  /** Read only where the product may have changed since: what fields were is as large as what they shall be. */
  changes: Changes | null
}

/** Which lines are applied: those that are open, or those that are named and not yet written. */
export type Wanted = { numbers: number[] | undefined; states: LineState[] }

/** The turns in which the lines are written. */
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

/** The next lines of a turn after a line, up to so many bytes and at least one; and whether they are the last. */
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
      select line, product_id, sku, outcome, state, patch, base_version, categories, provenance,
             case when patch is null then changes end as changes,
             coalesce(${jsonbBytes(sql`changes`)}, 0) as bytes, (select count(*) from sized) as ahead
      from proposal_lines
      -- An array is looked up by the key, whatever the planner believes of a table that has just been filled.
      where project_id = ${projectId} and proposal_id = ${proposalId} and line = any(array(
        select line from summed where bytes_up_to is null or bytes_up_to <= ${proposalLimits.appliedBytes} or bytes_up_to = bytes))
      order by line`),
  )
  const lines = rows.map(({ ahead: _ahead, ...line }) => line)
  const ahead = rows[0]?.ahead ?? 0
  return { lines, areLast: ahead === lines.length && ahead < proposalLimits.appliedLines }
}

/** What fields were and shall be, of some lines. */
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

/** Those of the lines that are still in one of the states; nobody else changes them until the transaction ends. */
export async function lockLines(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  numbers: number[],
  states: LineState[],
): Promise<Map<number, LineState>> {
  const rows = await tx.query(
    planEachTime(sql<{ line: number; state: LineState }>`
      select line, state from proposal_lines
      where project_id = ${projectId} and proposal_id = ${proposalId} and line = any(${numbers}::int[])
        and state = any(${states}::text[])
      order by line for no key update`),
  )
  return new Map(rows.map(({ line, state }) => [line, state]))
}

/** The products that lines of a proposal have made, by the SKUs that they made them with. */
export async function findMade(
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

/** What became of a line. */
export type AppliedState = {
  line: number
  state: LineState
  product_id: number | null
  version: number | null
  /** Of an applied line: what its history does not tell. */
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

/** Discards the lines that are not written yet, or those of them that are named; returns how many were in which state. */
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
