import type { Queryable } from '../../platform/database/database.ts'
import { sql, write } from '../../platform/database/sql.ts'
import { accountLimits } from '../limits.ts'

type Limit = { key: Buffer; most: number }

const secondsLeft = sql`ceil(extract(epoch from expires_at - now()))::int`

/** Seconds until all exceeded limits end; undefined if none is exceeded. */
export async function findLockoutSeconds(
  database: Queryable,
  limits: readonly Limit[],
): Promise<number | undefined> {
  const [row] = await database.query(sql<{ seconds: number | null }>`
    select max(${secondsLeft}) as seconds
    from unnest(${limits.map(({ key }) => key)}::bytea[], ${limits.map(({ most }) => most)}::int[]) as limits (key, most)
    join sign_in_failures as counted using (key)
    where counted.failures >= limits.most and counted.expires_at > now()`)
  return row?.seconds ?? undefined
}

export async function countFailure(
  database: Queryable,
  key: Buffer,
  windowSeconds: number = accountLimits.failureWindowSeconds,
): Promise<{ failures: number; seconds: number }> {
  const statement = sql<{ failures: number; seconds: number }>`
    insert into sign_in_failures as counted (key, failures, expires_at)
    values (${key}, 1, now() + make_interval(secs => ${windowSeconds}))
    on conflict (key) do update
    set failures = case when counted.expires_at <= now() then 1 else counted.failures + 1 end,
        expires_at = case when counted.expires_at <= now() then excluded.expires_at else counted.expires_at end
    returning failures, ${secondsLeft} as seconds`
  const [row] = await database.query(write(statement))
  return row as { failures: number; seconds: number }
}

export async function forgiveFailures(database: Queryable, keys: Buffer[]): Promise<void> {
  const statement = sql`
    update sign_in_failures set failures = greatest(failures - 1, 0) where key = any(${keys}::bytea[])`
  await database.query(write(statement))
}
