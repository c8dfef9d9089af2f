import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { jsonRows } from '../../../platform/database/statements/json-rows.ts'
import type { ReadProduct } from '../responses.sql.ts'
import type { RunKey } from '../run.sql.ts'

/** What the project has reserved and spent in the current month (UTC), in millionths. */
export type Spending = { month: string; reserved: number; spent: number }

/** Locks the spending of the month until the transaction ends. The run is locked before. */
export async function lockSpending(tx: Transaction, projectId: number, currency: string): Promise<Spending> {
  await tx.query(sql`
    insert into ai_spending (project_id, currency, month)
    values (${projectId}, ${currency}, date_trunc('month', now() at time zone 'UTC')) on conflict do nothing`)
  const [row] = await tx.query(sql<Spending>`
    select month::text, reserved, spent from ai_spending
    where project_id = ${projectId} and currency = ${currency} and month = date_trunc('month', now() at time zone 'UTC')
    for no key update`)
  return row as Spending
}

/** A call with what it can cost at most, and what the model reads. */
export type Reservation = {
  place: number
  worst: string
  input_hash: string
  base: ReadProduct
}

/** Reserves the worst case of calls from a locked run and its locked month, and takes the calls, all in one statement. */
export async function reserveCalls(
  tx: Transaction,
  { projectId, id }: RunKey,
  { owner, currency, month }: { owner: string; currency: string; month: string },
  calls: readonly Reservation[],
): Promise<{ place: number; attempts: number }[]> {
  if (calls.length === 0) return []
  return tx.query(sql<{ place: number; attempts: number }>`
    with taken as (
      update run_calls as call set state = 'calling', owner = ${owner}::uuid, attempts = call.attempts + 1, retry_at = null,
        error = null, reserved = (given ->> 'worst')::bigint, month = ${month}::date, input_hash = given ->> 'input_hash',
        base = given -> 'base', started_at = clock_timestamp()
      from (select lines.line as given from ${jsonRows(calls)}) as input
      where call.project_id = ${projectId} and call.run_id = ${id} and call.place = (given ->> 'place')::int and call.state = 'waiting'
        and exists (select from products where project_id = ${projectId} and id = call.product_id)
      returning call.place, call.attempts, call.reserved
    ), of_run as (
      update runs set reserved = reserved + (select coalesce(sum(reserved), 0) from taken), reason = null, resumes_at = null
      where project_id = ${projectId} and id = ${id}
    ), of_month as (
      update ai_spending set reserved = reserved + (select coalesce(sum(reserved), 0) from taken)
      where project_id = ${projectId} and currency = ${currency} and month = ${month}::date
    )
    select place, attempts from taken`)
}

/** How an attempt ended. The cost is in millionths. */
export type Settlement = {
  /** `waiting`: another attempt follows. */
  state: 'done' | 'failed' | 'declined' | 'waiting'
  error: string | null
  retryInMilliseconds: number
  /** An attempt that the provider rejected because of its rate limit does not count. */
  isCounted: boolean
  cost: bigint
  tokens: { input: number; output: number }
  values: Record<string, unknown> | null
  flags: string[]
}

type Settled = { reserved: number; month: string; state: string }

/**
 * Returns undefined if the call no longer belongs to this owner. The run is locked before. The next attempt reads the product again;
 * if there is none, nothing of the product stays.
 */
export async function settleRow(
  tx: Transaction,
  { projectId, id }: RunKey,
  place: number,
  owner: string,
  { state, error, retryInMilliseconds, isCounted, cost, tokens, values, flags }: Settlement,
): Promise<Settled | undefined> {
  const [row] = await tx.query(sql<Settled>`
    update run_calls as call set
      state = case when ${state} in ('done', 'declined') and product.id is null then 'skipped' else ${state} end,
      error = case when ${state} in ('done', 'declined') and product.id is null then 'product_gone' else ${error} end,
      response = case when product.id is not null then ${values === null ? null : JSON.stringify(values)}::jsonb end,
      input_hash = case when product.id is not null and ${state} <> 'waiting' then call.input_hash end,
      base = case when product.id is not null and ${state} <> 'waiting' then call.base end,
      flags = ${flags}::text[], owner = null, attempts = call.attempts - ${isCounted ? 0 : 1},
      retry_at = case when ${state} = 'waiting' then clock_timestamp() + ${retryInMilliseconds}::float8 * interval '1 millisecond' end,
      reserved = 0, cost = call.cost + ${String(cost)}::bigint,
      input_tokens = call.input_tokens + ${tokens.input}, output_tokens = call.output_tokens + ${tokens.output},
      finished_at = case when ${state} <> 'waiting' then clock_timestamp() end
    from (
      select own.place, own.reserved, own.month, product.id from run_calls as own
      left join products as product on product.project_id = own.project_id and product.id = own.product_id
      where own.project_id = ${projectId} and own.run_id = ${id} and own.place = ${place}
    ) as product
    where call.project_id = ${projectId} and call.run_id = ${id} and call.place = ${place} and call.state = 'calling'
      and call.owner = ${owner}::uuid
    returning product.reserved, product.month::text, call.state`)
  return row
}

/** Moves what was reserved for a call to what it cost, in a locked run and in its month, and counts the product. */
export async function settleAmounts(
  tx: Transaction,
  { projectId, id }: RunKey,
  currency: string,
  { reserved, month, state }: Settled,
  { cost, tokens }: Pick<Settlement, 'cost' | 'tokens'>,
  { isFailure, isLimited }: { isFailure: boolean; isLimited: boolean },
): Promise<void> {
  await tx.query(sql`
    with of_month as (
      update ai_spending set reserved = reserved - ${reserved}, spent = spent + ${String(cost)}::bigint
      where project_id = ${projectId} and currency = ${currency} and month = ${month}::date
    )
    update runs set reserved = reserved - ${reserved}, spent = spent + ${String(cost)}::bigint,
      input_tokens = input_tokens + ${tokens.input}, output_tokens = output_tokens + ${tokens.output},
      done = done + ${Number(state === 'done')}, failed = failed + ${Number(state === 'failed')},
      declined = declined + ${Number(state === 'declined')}, skipped = skipped + ${Number(state === 'skipped')},
      failures_in_row = ${isFailure ? sql`failures_in_row + 1` : isLimited ? sql`failures_in_row` : sql`0`},
      limited_in_row = ${isLimited ? sql`limited_in_row + 1` : isFailure ? sql`limited_in_row` : sql`0`}
    where project_id = ${projectId} and id = ${id}`)
}

/** Calls whose owner no longer holds the job of the run. */
export function listOrphans(
  database: Queryable,
  { projectId, id }: RunKey,
  owner: string,
): Promise<{ place: number; owner: string; attempts: number; reserved: number }[]> {
  return database.query(sql<{ place: number; owner: string; attempts: number; reserved: number }>`
    select place, owner, attempts, reserved from run_calls
    where project_id = ${projectId} and run_id = ${id} and state = 'calling' and owner <> ${owner}::uuid order by place`)
}
