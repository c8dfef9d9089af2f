import { deleteInBatches } from '../../platform/database/batching/delete-in-batches.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql, write } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import { notificationLimits } from '../limits.ts'
import { managerKinds, type Notification, type ReadNotifications } from './notification.schema.ts'

/** A manager who became a viewer or an editor cannot act on what managers are notified about. */
const shown = sql`(own.kind <> all(${[...managerKinds]}::text[]) or exists (
  select from memberships as member
  where member.project_id = own.project_id and member.user_id = own.user_id and member.role = 'manager'))`

/** Newest first. */
export function listNotifications(
  database: Queryable,
  userId: number,
  { unread }: { unread?: boolean | undefined },
  page: PageRequest,
): Promise<Page<Notification>> {
  const state = unread === undefined ? sql`true` : sql`(own.read_at is null) = ${unread}`
  return selectPage(database, {
    columns: sql`own.id, own.kind, own.object_id, own.title, own.state, own.actor, own.events, own.created_at, own.read_at,
      case when project.id is not null then json_build_object('id', project.id, 'name', project.name) end as project`,
    from: sql`notifications as own left join projects as project on project.id = own.project_id`,
    where: sql`own.user_id = ${userId} and ${state} and ${shown}`,
    orderBy: sql`own.id desc`,
    page,
  })
}

/** Returns how many were unread. */
export async function markNotificationsRead(
  database: Queryable,
  userId: number,
  { ids = [], up_to = 0 }: ReadNotifications,
): Promise<number> {
  const rows = await database.query(
    write(sql`
      update notifications set read_at = now()
      where user_id = ${userId} and read_at is null and (id = any(${ids}::bigint[]) or id <= ${up_to}) returning 1`),
  )
  return rows.length
}

export function deleteOldNotifications(database: Queryable, signal: AbortSignal): Promise<void> {
  const before = sql`now() - ${notificationLimits.days} * interval '1 day'`
  return deleteInBatches(database, { table: 'notifications', column: 'created_at', before }, signal)
}
