import type { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'

const error = 'HTTP 503'

/** For screenshots: backdates one webhook by weeks of deliveries and disables another. */
export async function ageWebhooks(
  database: Database,
  project: number,
  [working, failing]: [number, number],
): Promise<void> {
  await database.query(sql`
    update webhooks set last_success_at = now() - interval '4 minutes', created_at = now() - interval '40 days'
    where project_id = ${project}`)
  await database.query(sql`
    update webhooks set disabled_reason = 'failing', disabled_at = now() - interval '3 hours', last_error = ${error},
      last_error_at = now() - interval '3 hours', last_success_at = now() - interval '5 days'
    where id = ${failing}`)
  await database.query(sql`
    insert into webhook_attempts (project_id, webhook_id, at, event_id, type, try, status, error, milliseconds)
    select ${project}, webhook, now() - (31 - number) * case when is_bad and webhook = ${failing} then interval '4 hours' else interval '7 minutes' end, 'evt_' || md5(number::text) || '_1',
           (array['product.updated', 'product.created', 'product.stock_changed', 'proposal.applied'])[1 + number % 4],
           case when is_bad then 11 else 1 end, case when is_bad then 503 else 200 end, case when is_bad then ${error} end, 40 + number * 37 % 160
    from generate_series(1, 30) as number
    cross join lateral (values (${working}::bigint, number = 12), (${failing}::bigint, true)) as sample (webhook, is_bad)
    where webhook = ${working} or number > 22 order by number`)
  await database.query(sql`
    insert into webhook_parked (project_id, webhook_id, event_id, cursor, number, position, type, tries, status, error, retry_at)
    select ${project}, ${failing}, 'evt_' || md5(number::text) || '_1', '0', number, 1, 'product.stock_changed', 5, 400,
           'HTTP 400', case when number = 1 then now() end
    from generate_series(1, 3) as number`)
}
