import { proposalLimits } from '../../model/limits/proposals.ts'
import { largeBytes } from '../../model/product/product-columns.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import { jsonRows } from '../../platform/database/statements/json-rows.ts'
import { jsonbBytes } from '../../platform/database/statements/stored-bytes.ts'
import type { JobKey } from '../../platform/jobs/job.ts'
import type { Changes, ProposedLine } from './proposal-line.sql.ts'

/** A proposal whose lines are being prepared. */
export type Preparation = {
  projectId: number
  id: number
  origin: 'filter' | 'revert'
  actor: string
  edits: unknown
  revertsId: number | null
  prepared: number
  total: number
}

export type ProposalKey = { projectId: number; id: number }

export const preparationKind = 'proposal.prepare'

/** The job that prepares the lines of a proposal. */
export function preparationJob({ projectId, id }: ProposalKey): JobKey {
  return { projectId, kind: preparationKind, key: String(id) }
}

/** Locks a proposal until the transaction ends. Undefined if it is prepared or deleted, or another process prepares it. */
export async function claimPreparation(
  tx: Transaction,
  { projectId, id }: ProposalKey,
): Promise<Preparation | undefined> {
  const [row] = await tx.query(sql<Preparation>`
    select project_id as "projectId", id, origin, actor, edits, reverts_id as "revertsId", prepared, lines as total
    from proposals where project_id = ${projectId} and id = ${id} and state = 'preparing' for no key update skip locked`)
  return row
}

export async function isPreparing(tx: Queryable, { projectId, id }: ProposalKey): Promise<boolean> {
  const rows = await tx.query(sql`
    select from proposals where project_id = ${projectId} and id = ${id} and state = 'preparing'`)
  return rows.length > 0
}

/** A line before its preparation. Its product may no longer exist. */
export type UnpreparedLine = {
  line: number
  product_id: number
  sku: string | null
  turn: number
  /** For a revert: the version to undo, and the stock changes. */
  version: number | null
  changes: Changes | null
}

/** The next lines, fewer if their products are large. */
export async function listUnprepared(
  tx: Queryable,
  projectId: number,
  proposalId: number,
  after: number,
  limit: number,
): Promise<UnpreparedLine[]> {
  return tx.query(
    planEachTime(sql<UnpreparedLine>`
      with next as materialized (
        select own.line, own.product_id, own.sku, own.turn, own.version, own.changes, coalesce(size.bytes, 0) as bytes
        from proposal_lines as own left join lateral (
          select ${largeBytes('product')} + ${jsonbBytes(sql`product.provenance`)} as bytes from products as product
          where product.project_id = ${projectId} and product.id = own.product_id limit 1
        ) as size on true
        where own.project_id = ${projectId} and own.proposal_id = ${proposalId} and own.line > ${after}
        order by own.line limit ${limit}
      ), summed as (
        select *, sum(bytes) over (order by line) as bytes_up_to from next
      )
      select line, product_id, sku, turn, version, changes from summed
      where bytes_up_to <= ${proposalLimits.preparedBytes} or bytes_up_to = bytes order by line`),
  )
}

export async function updatePrepared(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  lines: readonly ProposedLine[],
): Promise<void> {
  await tx.query(
    planEachTime(sql`
      -- With the key in the input, no plan compares each line with all lines of the proposal.
      with input as materialized (
        select ${projectId}::bigint as project_id, ${proposalId}::bigint as proposal_id, (line ->> 'line')::int as number, line
        from ${jsonRows(lines)}
      )
      update proposal_lines as own set
        sku = input.line ->> 'sku', turn = (input.line ->> 'turn')::smallint, outcome = input.line ->> 'outcome',
        state = input.line ->> 'state', version = null,
        changes = nullif(input.line -> 'changes', 'null'), patch = nullif(input.line -> 'patch', 'null'),
        base_version = (input.line ->> 'base_version')::int, categories = nullif(input.line -> 'categories', 'null'),
        provenance = nullif(input.line -> 'provenance', 'null'),
        score_before = (input.line ->> 'score_before')::smallint, score_after = (input.line ->> 'score_after')::smallint,
        errors = nullif(input.line -> 'errors', 'null'), warnings = nullif(input.line -> 'warnings', 'null')
      from input
      where (own.project_id, own.proposal_id, own.line) = (input.project_id, input.proposal_id, input.number)`),
  )
}

/** Returns whether the proposal was still in preparation. */
export async function failPreparation(
  tx: Transaction,
  { projectId, id }: ProposalKey,
  reason: string,
): Promise<boolean> {
  const failed = await tx.query(sql`
    update proposals set state = 'failed', closed_at = clock_timestamp(), reason = ${reason}
    where project_id = ${projectId} and id = ${id} and state = 'preparing' returning 1`)
  return failed.length > 0
}

/** Continues a failed preparation. */
export async function resumePreparation(tx: Transaction, { projectId, id }: ProposalKey): Promise<void> {
  await tx.query(sql`
    update proposals set state = 'preparing', closed_at = null, reason = null
    where project_id = ${projectId} and id = ${id} and state = 'failed' and prepared < lines`)
}

/** Requests jobs for proposals of an older release or a backup. */
export async function requestMissingPreparations(database: Queryable): Promise<void> {
  await database.query(sql`
    insert into jobs (project_id, kind, key)
    select project_id, ${preparationKind}, id::text from proposals where state = 'preparing'
    on conflict do nothing`)
}
