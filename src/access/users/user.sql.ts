import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { matchesWords } from '../../platform/database/statements/matches-words.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import type { MemberRole } from '../roles.ts'
import type { User } from './user.schema.ts'

export type Membership = { project_id: number; role?: MemberRole }

const columns = sql`users.id, users.email, users.name, users.operator, users.created_at, users.disabled_at, users.last_sign_in_at,
  exists (select from accounts where accounts.user_id = users.id and accounts.password is not null) as has_password,
  array_remove(array[
    case when exists (select from totp_secrets as totp where totp.user_id = users.id and totp.confirmed_at is not null)
      then 'totp' end,
    case when exists (select from passkeys where passkeys.user_id = users.id) then 'passkey' end
  ], null) as second_factors,
  (select case when account.subject is not null then 'linked' when account.linked_until > now() then 'waiting' end
   from company_accounts as account where account.user_id = users.id) as company_account,
  (select invitation.expires_at from invitations as invitation
   where invitation.user_id = users.id and invitation.expires_at > now()) as invited_until,
  coalesce((
    select json_agg(json_build_object('id', project.id, 'name', project.name, 'role', membership.role) order by project.id)
    from memberships as membership join projects as project on project.id = membership.project_id
    where membership.user_id = users.id
  ), '[]') as projects`

export const userKinds = ['operator', 'member', 'invited', 'disabled'] as const
export type UserKind = (typeof userKinds)[number]

const ofKind: Record<UserKind, Sql> = {
  operator: sql`users.operator and users.disabled_at is null`,
  member: sql`not users.operator and users.disabled_at is null`,
  invited: sql`users.disabled_at is null and not exists (
    select from accounts where accounts.user_id = users.id and accounts.password is not null)
    and not exists (select from company_accounts where company_accounts.user_id = users.id and subject is not null)`,
  disabled: sql`users.disabled_at is not null`,
}

export function listUsers(
  database: Queryable,
  { search, kind }: { search?: string | undefined; kind?: UserKind | undefined },
  page: PageRequest,
): Promise<Page<User>> {
  return selectPage(database, {
    columns,
    from: sql`users`,
    where: sql`${matchesWords([sql`users.email`, sql`users.name`], search)} and ${kind === undefined ? sql`true` : ofKind[kind]}`,
    orderBy: sql`users.email`,
    page,
  })
}

export async function findUser(database: Queryable, id: number): Promise<User | undefined> {
  const [row] = await database.query(sql<User>`select ${columns} from users where users.id = ${id}`)
  return row
}

export async function findUserIdByEmail(database: Queryable, email: string): Promise<number | undefined> {
  const [row] = await database.query(sql<{ id: number }>`select id from users where email = ${email}`)
  return row?.id
}

/** Finds a user by the id or email that someone typed. */
export async function requireUserId(database: Queryable, text: string): Promise<number> {
  const known = /^\d{1,15}$/.test(text)
    ? (await findUser(database, Number(text)))?.id
    : await findUserIdByEmail(database, text.trim().toLowerCase())
  if (known === undefined)
    throw new Error(`there is no user ${text}; run "catalog user list" to list the users`)
  return known
}

/** Locks the user until the transaction ends, to serialize changes. False if the user does not exist. */
export async function lockUser(tx: Transaction, id: number): Promise<boolean> {
  const rows = await tx.query(sql`select id from users where id = ${id} for update`)
  return rows.length > 0
}

/** Locks all operators who can sign in, ordered by id, so that concurrent revocations of the role wait for each other. */
export async function lockOperators(tx: Transaction): Promise<number[]> {
  const rows = await tx.query(sql<{ id: number }>`
    select id from users
    where operator and disabled_at is null and (exists (
      select from accounts where accounts.user_id = users.id and accounts.password is not null)
      or exists (select from company_accounts where company_accounts.user_id = users.id and subject is not null))
    order by id for update`)
  return rows.map(({ id }) => id)
}

/** Returns the id, or undefined if the email already has an account. */
export async function insertUser(
  tx: Transaction,
  user: { email: string; name: string; operator: boolean },
): Promise<number | undefined> {
  const [row] = await tx.query(sql<{ id: number }>`
    insert into users (email, name, operator) values (${user.email}, ${user.name}, ${user.operator})
    on conflict (email) do nothing returning id`)
  return row?.id
}

export async function updateUser(
  tx: Transaction,
  id: number,
  changes: { name?: string; operator?: boolean },
): Promise<void> {
  await tx.query(sql`
    update users
    set name = coalesce(${changes.name ?? null}, name), operator = coalesce(${changes.operator ?? null}, operator),
        updated_at = now()
    where id = ${id}`)
}

/** better-auth identifies a password account by the user id. */
export async function setPassword(tx: Transaction, userId: number, passwordHash: string): Promise<void> {
  await tx.query(sql`
    insert into accounts (user_id, provider_id, account_id, password)
    values (${userId}, 'credential', ${String(userId)}, ${passwordHash})
    on conflict (user_id, provider_id) do update set password = excluded.password, updated_at = now()`)
}

/** Returns the number of deleted sessions. */
export async function deleteSessionsOf(tx: Transaction, userId: number): Promise<number> {
  const rows = await tx.query(sql`
    delete from sessions where user_id = ${userId} returning id`)
  return rows.length
}

export async function setDisabled(tx: Transaction, id: number, isDisabled: boolean): Promise<void> {
  await tx.query(sql`
    update users set disabled_at = case when ${isDisabled} then now() end, updated_at = now() where id = ${id}`)
}

export async function deleteUserRow(tx: Transaction, id: number): Promise<void> {
  await tx.query(sql`delete from users where id = ${id}`)
}

/** A membership without a role keeps the existing role, or becomes manager. */
export async function setMemberships(
  tx: Transaction,
  userId: number,
  memberships: readonly Membership[],
): Promise<void> {
  const projectIds = memberships.map(({ project_id }) => project_id)
  const roles = memberships.map(({ role = null }) => role)
  const changed = memberships.flatMap(({ project_id, role }) => (role === undefined ? [] : project_id))
  await tx.query(sql`
    delete from memberships where user_id = ${userId} and project_id <> all(${projectIds}::bigint[])`)
  await tx.query(sql`
    insert into memberships as own (project_id, user_id, role)
    select project_id, ${userId}, coalesce(role, 'manager') from unnest(${projectIds}::bigint[], ${roles}::text[]) as given (project_id, role)
    on conflict (project_id, user_id) do update set role = excluded.role
    where own.project_id = any(${changed}::bigint[])`)
}

export async function findMissingProjects(tx: Transaction, projectIds: number[]): Promise<number[]> {
  const rows = await tx.query(sql<{ id: number }>`
    select wanted.id from unnest(${projectIds}::bigint[]) as wanted (id)
    where not exists (select from projects where projects.id = wanted.id)`)
  return rows.map(({ id }) => id)
}
