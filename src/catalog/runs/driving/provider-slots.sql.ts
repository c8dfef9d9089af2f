import { runLimits } from '../../../model/limits/runs.ts'
import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** What all processes share about a provider. */
export type ProviderSlots = {
  /** Since the last 429; null if there was none. */
  allowed: number | null
  /** Whether the provider can get another concurrent call again. */
  is_recovering: boolean
  /** Requests of the current minute. */
  minute_requests: number
  minute_ends_in: number
  paused_for: number
  /** Calls in progress, of all runs of the project. */
  calling: number
}

/** Locks the provider of a project until the transaction ends. It is locked before the run. */
export async function lockSlots(
  tx: Transaction,
  projectId: number,
  provider: string,
): Promise<ProviderSlots | undefined> {
  await tx.query(sql`
    select from ai_providers where project_id = ${projectId} and name = ${provider} for no key update`)
  const [row] = await tx.query(sql<ProviderSlots>`
    select allowed_concurrency as allowed,
      concurrency_changed_at < clock_timestamp() - ${runLimits.recoverySeconds} * interval '1 second' as is_recovering,
      case when minute_started_at > clock_timestamp() - interval '1 minute' then minute_requests else 0 end as minute_requests,
      greatest(0, coalesce(60000 - extract(epoch from clock_timestamp() - minute_started_at) * 1000, 0))::float8 as minute_ends_in,
      greatest(0, coalesce(extract(epoch from paused_until - clock_timestamp()) * 1000, 0))::float8 as paused_for,
      (select count(*) from run_calls as call join runs as run on run.project_id = call.project_id and run.id = call.run_id
       where call.project_id = ${projectId} and call.state = 'calling' and run.provider = ${provider}
         and run.state in ('sampling', 'running')) as calling
    from ai_providers where project_id = ${projectId} and name = ${provider}`)
  return row
}

/** How many calls can start, and after how many milliseconds to ask again if none can. */
export function freeSlots(
  slots: ProviderSlots,
  { concurrency, requests_per_minute }: { concurrency: number; requests_per_minute: number | null },
): { free: number; againInMilliseconds: number } {
  if (slots.paused_for > 0) return { free: 0, againInMilliseconds: slots.paused_for }
  const allowed = Math.min(concurrency, (slots.allowed ?? concurrency) + (slots.is_recovering ? 1 : 0))
  const ofMinute =
    requests_per_minute === null ? Number.POSITIVE_INFINITY : requests_per_minute - slots.minute_requests
  const free = Math.max(0, Math.min(allowed - slots.calling, ofMinute))
  return { free, againInMilliseconds: ofMinute <= 0 ? slots.minute_ends_in : runLimits.busyMilliseconds }
}

/** Counts calls of a locked provider, and lets it recover. */
export async function countRequests(
  tx: Transaction,
  projectId: number,
  provider: string,
  { requests, recoversTo }: { requests: number; recoversTo: number | undefined },
): Promise<void> {
  await tx.query(sql`
    update ai_providers set
      minute_requests = case when minute_started_at > clock_timestamp() - interval '1 minute' then minute_requests else 0 end + ${requests},
      minute_started_at = case when minute_started_at > clock_timestamp() - interval '1 minute' then minute_started_at
        else clock_timestamp() end,
      allowed_concurrency = ${recoversTo === undefined ? sql`allowed_concurrency` : sql`${recoversTo}::int`},
      concurrency_changed_at = ${recoversTo === undefined ? sql`concurrency_changed_at` : sql`clock_timestamp()`}
    where project_id = ${projectId} and name = ${provider}`)
}

/**
 * After a 429, calls to the provider pause, and half as many run at once. Calls that started before the last change do not
 * cause another one.
 */
export async function slowDown(
  database: Queryable,
  projectId: number,
  provider: string,
  {
    concurrency,
    secondsAgo,
    pauseMilliseconds,
  }: { concurrency: number; secondsAgo: number; pauseMilliseconds: number },
): Promise<void> {
  const isNew = sql`(concurrency_changed_at is null or concurrency_changed_at < clock_timestamp() - ${secondsAgo}::float8 * interval '1 second')`
  await database.query(sql`
    update ai_providers set
      allowed_concurrency = case when ${isNew} then greatest(1, least(coalesce(allowed_concurrency, ${concurrency}), ${concurrency}) / 2)
        else allowed_concurrency end,
      concurrency_changed_at = case when ${isNew} then clock_timestamp() else concurrency_changed_at end,
      paused_until = greatest(paused_until, clock_timestamp() + ${pauseMilliseconds}::float8 * interval '1 millisecond')
    where project_id = ${projectId} and name = ${provider}`)
}
