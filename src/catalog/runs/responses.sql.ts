import { runLimits } from '../../model/limits/runs.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { jsonbBytes } from '../../platform/database/statements/stored-bytes.ts'
import type { LineFlag } from '../proposals/proposal.schema.ts'
import type { RunKey } from './run.sql.ts'

/** What a model read about a product: its version, its SKU, and the values of the written fields. */
export type ReadProduct = {
  version: number
  sku: string
  values: Record<string, unknown>
  /** In a view: the fingerprints of the texts that it read, by field without the view. */
  sources?: Record<string, string>
}

/** A response that no proposal contains yet. */
export type Response = {
  place: number
  product_id: number
  response: Record<string, unknown>
  base: ReadProduct
  flags: LineFlag[] | null
}

/** The responses after a place, in order: as many as fit into the bytes, and at least one. */
export function listUnproposed(
  database: Queryable,
  { projectId, id }: RunKey,
  after: number,
  limit: number,
): Promise<Response[]> {
  return database.query(sql<Response>`
    select place, product_id, response, base, flags from (
      select *, sum((${jsonbBytes(sql`response`)}) + (${jsonbBytes(sql`base`)})) over (order by place) as bytes,
        row_number() over (order by place) as number
      from (
        select place, product_id, response, base, flags from run_calls
        where project_id = ${projectId} and run_id = ${id} and state = 'done' and proposal_id is null and place > ${after}
          and response is not null and base is not null
        order by place limit ${limit}
      ) as next
    ) as counted
    where number = 1 or bytes <= ${runLimits.proposedBytes} order by place`)
}

/** Marks responses with their lines, which are numbered by place from 1. */
export async function markProposed(
  tx: Transaction,
  { projectId, id }: RunKey,
  proposalId: number,
): Promise<void> {
  await tx.query(sql`
    update run_calls as call set proposal_id = ${proposalId}, line = numbered.line
    from (
      select place, row_number() over (order by place) as line from run_calls
      where project_id = ${projectId} and run_id = ${id} and state = 'done' and proposal_id is null
        and response is not null and base is not null
    ) as numbered
    where call.project_id = ${projectId} and call.run_id = ${id} and call.place = numbered.place`)
}

export async function setCounted(tx: Transaction, { projectId, id }: RunKey): Promise<void> {
  await tx.query(sql`update runs set counted = spent where project_id = ${projectId} and id = ${id}`)
}
