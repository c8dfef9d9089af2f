import type { Transaction } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { notificationLimits } from '../limits.ts'
import type { managerKinds, NotificationKind } from './notification.schema.ts'

type ManagerKind = (typeof managerKinds)[number]

type About = {
  /** Events with the same subject share one notification. By default, each object has its own. */
  subject?: string
  objectId?: number
  title?: string
  state?: string
  /** Who caused it; none for the service. */
  actor?: string
}

/** Notifies the managers of a project, or one user: a member of the project, or any user about the account. */
export type NewNotification = About &
  (
    | { kind: ManagerKind; projectId: number; to: 'managers'; exceptEmail?: string | undefined }
    | { kind: Exclude<NotificationKind, ManagerKind>; projectId: number; to: { email: string } }
    | { kind: 'second_factor_reset'; to: { userId: number } }
  )

/**
 * Shares the transaction of what happened. A user who has not read the notification about the subject yet gets no second one: its
 * number of events grows. One statement, which notifies no one who lost access in the meantime.
 */
export async function notifyUsers(tx: Transaction, notification: NewNotification): Promise<void> {
  const { kind, objectId, title = '', state, actor } = notification
  const { subject = String(objectId ?? '') } = notification
  await tx.query(sql`
    with ${trimmed(notification, subject)}
    insert into notifications as own (user_id, project_id, kind, subject, object_id, title, state, actor)
    select reached.user_id, reached.project_id, ${kind}, ${subject}, ${objectId ?? null}, ${title}, ${state ?? null}, ${actor ?? null}
    from (${recipients(notification)}) as reached
    on conflict (project_id, user_id, kind, subject) do update
    set id = excluded.id, object_id = excluded.object_id, title = excluded.title, state = excluded.state, actor = excluded.actor,
        events = case when own.read_at is null then own.events + 1 else 1 end, created_at = now(), read_at = null`)
}

/**
 * Locks in the order of users and memberships, as a change of a user does, so that a removal neither deadlocks nor breaks the
 * reference to the membership.
 */
function recipients(notification: NewNotification): Sql {
  if (!('projectId' in notification))
    return sql`select id as user_id, null::bigint as project_id from users where id = ${notification.to.userId} for key share`
  const { projectId, to } = notification
  const who =
    to === 'managers'
      ? sql`member.role = 'manager' and users.email <> ${notification.exceptEmail ?? ''}`
      : sql`users.email = ${to.email}`
  return sql`
    select member.user_id, member.project_id from users join memberships as member on member.user_id = users.id
    where member.project_id = ${projectId} and users.disabled_at is null and ${who}
    order by member.user_id limit ${notificationLimits.recipients} for key share of users, member`
}

/** Only one user gets a notification per object, so only then can there be many. */
function trimmed(notification: NewNotification, subject: string): Sql {
  if (!('projectId' in notification) || notification.to === 'managers') return sql`trimmed as (select)`
  return sql`trimmed as (
    delete from notifications where id = any(array(
      select own.id from notifications as own join users on users.id = own.user_id
      where users.email = ${notification.to.email} and own.kind = ${notification.kind} and own.subject <> ${subject}
      order by own.id desc offset ${notificationLimits.ofKind - 1} for update of own skip locked)))`
}

/** Marks notifications about single objects as read for everyone, because no one has to do anything about them anymore. */
export async function settleNotifications(
  tx: Transaction,
  projectId: number,
  kind: ManagerKind,
  objectIds: readonly number[],
): Promise<void> {
  await tx.query(sql`
    update notifications set read_at = now() where id = any(array(
      select id from notifications
      where project_id = ${projectId} and kind = ${kind} and object_id = any(${objectIds}::bigint[]) and events = 1 and read_at is null
      order by user_id for update))`)
}
