import type { Queryable, Transaction } from '../database/database.ts'
import { linesOf } from '../database/json-lines.ts'
import { plannedAnew, sql } from '../database/sql.ts'
import { jsonbBytes } from '../database/stored-bytes.ts'
import { largeBytes } from '../products/product-columns.ts'
import type { Changes, ProposedLine } from './proposal-line.sql.ts'

/** A proposal whose lines are being made. */
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

/** Which proposal it is. */
export type ProposalKey = { projectId: number; id: number }

/**
 * One that nobody else works on, until the transaction ends: the one that is least far, so that small ones do not wait long, or
 * the one that is named.
 */
export async function claimPreparation(
  tx: Transaction,
  only?: ProposalKey,
): Promise<Preparation | undefined> {
  const named = only && sql`and project_id = ${only.projectId} and id = ${only.id}`
  const [row] = await tx.query(sql<Preparation>`
    select project_id as "projectId", id, origin, actor, edits, reverts_id as "revertsId", prepared, lines as total
    from proposals where state = 'preparing' ${named ?? sql``} order by prepared limit 1 for no key update skip locked`)
  return row
}

/** What is kept of a line before it is made; the product is gone where nobody has it any more. */
export type UnpreparedLine = {
  line: number
  product_id: number
  sku: string | null
  turn: number
  /** Of a line that takes back another one: the version to take back, and the stock. */
  version: number | null
  changes: Changes | null
}

const linesPerBatch = 500
const bytesPerBatch = 1024 * 1024

/** The next lines, fewer where their products are large. */
export async function listUnprepared(
  tx: Queryable,
  projectId: number,
  proposalId: number,
  after: number,
): Promise<UnpreparedLine[]> {
  return tx.query(
    plannedAnew(sql<UnpreparedLine>`
      with next as materialized (
        select own.line, own.product_id, own.sku, own.turn, own.version, own.changes, coalesce(size.bytes, 0) as bytes
        from proposal_lines as own left join lateral (
          select ${largeBytes('product')} + ${jsonbBytes(sql`product.provenance`)} as bytes from products as product
          where product.project_id = ${projectId} and product.id = own.product_id limit 1
        ) as size on true
        where own.project_id = ${projectId} and own.proposal_id = ${proposalId} and own.line > ${after}
        order by own.line limit ${linesPerBatch}
      ), summed as (
        select *, sum(bytes) over (order by line) as bytes_up_to from next
      )
      select line, product_id, sku, turn, version, changes from summed
      where bytes_up_to <= ${bytesPerBatch} or bytes_up_to = bytes order by line`),
  )
}

export async function updatePrepared(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  lines: readonly ProposedLine[],
): Promise<void> {
  await tx.query(
    plannedAnew(sql`
      -- The key stands in the input: else a plan could compare each line with all lines of the proposal.
      with input as materialized (
        select ${projectId}::bigint as project_id, ${proposalId}::bigint as proposal_id, (line ->> 'line')::int as number, line
        from ${linesOf(lines)}
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

/** Returns whether it was still being prepared. */
export async function failPreparation(tx: Transaction, { projectId, id }: ProposalKey): Promise<boolean> {
  const failed = await tx.query(sql`
    update proposals set state = 'failed', closed_at = clock_timestamp()
    where project_id = ${projectId} and id = ${id} and state = 'preparing' returning 1`)
  return failed.length > 0
}
