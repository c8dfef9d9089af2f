import { runLimits } from '../../../model/limits/runs.ts'
import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import { jsonRows } from '../../../platform/database/statements/json-rows.ts'
import type { RunKey } from '../run.sql.ts'
import type { Reservation } from './reservation.sql.ts'

/** A product whose call can start. */
export type Candidate = { place: number; product_id: number }

/** The products whose call can start, in order. Only those of the sample while the run is sampling. */
export function listCandidates(
  database: Queryable,
  { projectId, id }: RunKey,
  lastPlace: number | null,
  limit: number,
): Promise<Candidate[]> {
  return database.query(sql<Candidate>`
    select place, product_id from run_calls
    where project_id = ${projectId} and run_id = ${id} and state = 'waiting' ${upTo(lastPlace)}
      and (retry_at is null or retry_at <= clock_timestamp())
    order by place limit ${limit}`)
}

/** How many milliseconds remain until the next attempt of a call; undefined if no product waits. */
export async function findNextAttempt(
  database: Queryable,
  { projectId, id }: RunKey,
  lastPlace: number | null,
): Promise<number | undefined> {
  const [row] = await database.query(sql<{ milliseconds: number | null }>`
    select (extract(epoch from min(coalesce(retry_at, now())) - clock_timestamp()) * 1000)::float8 as milliseconds
    from run_calls where project_id = ${projectId} and run_id = ${id} and state = 'waiting' ${upTo(lastPlace)}`)
  return row?.milliseconds == null ? undefined : Math.max(0, row.milliseconds)
}

function upTo(lastPlace: number | null): Sql {
  return lastPlace === null ? sql`` : sql`and place <= ${lastPlace}`
}

/** An earlier call with the same input. */
export type EarlierCall = {
  input_hash: string
  state: 'calling' | 'done' | 'declined'
  response: Record<string, unknown> | null
  flags: string[] | null
}

/** A restore pauses runs without ending their calls. */
const isOfActiveRun = sql`exists (
        select from runs where project_id = call.project_id and id = call.run_id and state in ('sampling', 'running'))`

/** For each input, a call with a response, or one that is in progress. A reused response is as old as the call that wrote it. */
export function findEarlierCalls(
  database: Queryable,
  projectId: number,
  hashes: readonly string[],
): Promise<EarlierCall[]> {
  return database.query(sql<EarlierCall>`
    select earlier.* from unnest(${hashes}::text[]) as wanted (input_hash)
    cross join lateral (
      select input_hash, state, response, flags from run_calls as call
      where project_id = ${projectId} and input_hash = wanted.input_hash and (state = 'calling' and ${isOfActiveRun}
        or state in ('done', 'declined') and response is not null and not is_reused
          and finished_at > now() - ${runLimits.responseDays} * interval '1 day')
      order by state = 'calling', finished_at desc limit 1
    ) as earlier`)
}

/** A product that needs no call: a skipped one, or one with the response of an earlier call. */
export type WithoutCall = { place: number } & (
  | { state: 'skipped'; error: string }
  | (Pick<Reservation, 'input_hash' | 'base'> & {
      state: 'done' | 'declined'
      error: null
      response: object | null
      flags: string[] | null
    })
)

/** Ends products of a locked run without a call, and counts them. No product is erased meanwhile: the caller locks erasure. */
export async function endWithoutCall(
  tx: Transaction,
  { projectId, id }: RunKey,
  ended: readonly WithoutCall[],
): Promise<void> {
  if (ended.length === 0) return
  await tx.query(sql`
    with ended as (
      update run_calls as call set state = given ->> 'state', error = given ->> 'error', input_hash = given ->> 'input_hash',
        base = nullif(given -> 'base', 'null'), response = nullif(given -> 'response', 'null'),
        flags = case when given ? 'flags' then array(select jsonb_array_elements_text(nullif(given -> 'flags', 'null'))) end,
        is_reused = given ->> 'state' <> 'skipped', finished_at = clock_timestamp(), retry_at = null
      from (
        select case when given ->> 'state' = 'skipped' or product.id is not null then given
          else jsonb_build_object('place', given -> 'place', 'state', 'skipped', 'error', 'product_gone') end as given
        from (select lines.line as given from ${jsonRows(ended)}) as wanted
        join run_calls as own on own.project_id = ${projectId} and own.run_id = ${id} and own.place = (given ->> 'place')::int
        left join products as product on product.project_id = own.project_id and product.id = own.product_id
      ) as input
      where call.project_id = ${projectId} and call.run_id = ${id} and call.place = (given ->> 'place')::int and call.state = 'waiting'
      returning call.state
    )
    update runs as run set skipped = run.skipped + counted.skipped, done = run.done + counted.done,
      declined = run.declined + counted.declined, reused = run.reused + counted.done + counted.declined
    from (
      select count(*) filter (where state = 'skipped') as skipped, count(*) filter (where state = 'done') as done,
        count(*) filter (where state = 'declined') as declined from ended
    ) as counted
    where run.project_id = ${projectId} and run.id = ${id}`)
}
