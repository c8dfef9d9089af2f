import { webhookColumns } from '../delivery/webhooks/webhook.sql.ts'
import type { Queryable } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../platform/database/statements/select-page.ts'
import type { OperatorWebhook, unhealthyStates } from './operator-webhook.schema.ts'

const conditions = {
  failing: sql`webhook.disabled_reason is null and webhook.failing_since is not null`,
  disabled: sql`webhook.disabled_reason <> 'by_hand'`,
}

/** Failing webhooks and those that the service disabled, of all projects; most recent first. */
export function listUnhealthyWebhooks(
  database: Queryable,
  state: (typeof unhealthyStates)[number] | undefined,
  page: PageRequest,
): Promise<Page<OperatorWebhook>> {
  return selectPage(database, {
    columns: sql`${webhookColumns}, json_build_object('id', project.id, 'name', project.name) as project`,
    from: sql`webhooks as webhook join projects as project on project.id = webhook.project_id`,
    where: state === undefined ? sql`(${conditions.failing} or ${conditions.disabled})` : conditions[state],
    orderBy: sql`coalesce(webhook.disabled_at, webhook.failing_since, webhook.updated_at) desc, webhook.id`,
    page,
  })
}
