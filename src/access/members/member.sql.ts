import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { matchesWords } from '../../platform/database/statements/matches-words.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import type { MemberRole } from '../roles.ts'
import type { Member, MemberFilters } from './member.schema.ts'

const columns = sql`users.id, users.email, users.name, member.role, member.created_at`
const from = sql`memberships as member join users on users.id = member.user_id`

export function listMembers(
  database: Queryable,
  projectId: number,
  { search, role }: MemberFilters,
  page: PageRequest,
): Promise<Page<Member>> {
  return selectPage(database, {
    columns,
    from,
    where: sql`member.project_id = ${projectId} and ${matchesWords([sql`users.email`, sql`users.name`], search)}
      and ${role === undefined ? sql`true` : sql`member.role = ${role}`}`,
    orderBy: sql`users.email`,
    page,
  })
}

export async function findMember(
  database: Queryable,
  projectId: number,
  userId: number,
): Promise<Member | undefined> {
  const [row] = await database.query(sql<Member>`
    select ${columns} from ${from} where member.project_id = ${projectId} and member.user_id = ${userId}`)
  return row
}

/**
 * Locks all managers who can sign in, ordered by ID, and returns them. Concurrent changes wait for each other, so that two managers
 * cannot demote each other at the same time.
 */
export async function lockManagers(tx: Transaction, projectId: number): Promise<number[]> {
  const rows = await tx.query(sql<{ user_id: number }>`
    select member.user_id from ${from}
    where member.project_id = ${projectId} and member.role = 'manager' and users.disabled_at is null
    order by member.user_id for update of member`)
  return rows.map(({ user_id }) => user_id)
}

/** Undefined if the member left in the meantime. */
export async function updateMemberRole(
  tx: Transaction,
  projectId: number,
  userId: number,
  role: MemberRole,
): Promise<Member | undefined> {
  await tx.query(sql`
    update memberships set role = ${role} where project_id = ${projectId} and user_id = ${userId}`)
  return findMember(tx, projectId, userId)
}

export async function deleteMember(tx: Transaction, projectId: number, userId: number): Promise<void> {
  await tx.query(sql`delete from memberships where project_id = ${projectId} and user_id = ${userId}`)
}

/** Does not change the role of an existing member. */
export async function insertMember(
  tx: Transaction,
  projectId: number,
  userId: number,
  role: MemberRole,
): Promise<void> {
  await tx.query(sql`
    insert into memberships (project_id, user_id, role) values (${projectId}, ${userId}, ${role}) on conflict do nothing`)
}
