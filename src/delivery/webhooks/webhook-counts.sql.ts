import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { disabledReasons, type Webhook } from './webhook.schema.ts'
import { webhookState } from './webhook.sql.ts'

type Kind = Pick<Webhook, 'state'> & { reason?: string }

const kinds: Kind[] = [
  { state: 'enabled' },
  { state: 'failing' },
  ...disabledReasons.map((reason): Kind => ({ state: 'disabled', reason })),
]

/** The number of webhooks of all projects by state, and by reason if disabled. */
export async function countWebhooksByState(
  database: Queryable,
): Promise<{ labels: Record<string, string>; count: number }[]> {
  const found = await database.query(sql<Kind & { count: number }>`
    select ${webhookState} as state, coalesce(webhook.disabled_reason, '') as reason, count(*) as count
    from webhooks as webhook group by 1, 2`)
  return kinds.map(({ state, reason = '' }) => ({
    labels: { state, ...(reason !== '' && { reason }) },
    count: found.find((row) => row.state === state && row.reason === reason)?.count ?? 0,
  }))
}
