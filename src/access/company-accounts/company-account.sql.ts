import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export type LinkedUser = { user_id: number; email: string; operator: boolean; disabled: boolean }

/** The user with this account at the provider. Locks the user until the transaction ends. */
export async function lockLinkedUser(
  tx: Transaction,
  issuer: string,
  subject: string,
): Promise<LinkedUser | undefined> {
  const [row] = await tx.query(sql<LinkedUser>`
    select users.id as user_id, users.email, users.operator, users.disabled_at is not null as disabled
    from company_accounts as account join users on users.id = account.user_id
    where account.issuer = ${issuer} and account.subject = ${subject} for update of users`)
  return row
}

/** Completes the link that an operator prepared for the user with this email. False if there is none. */
export async function completeLink(
  tx: Transaction,
  issuer: string,
  subject: string,
  email: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update company_accounts as account set subject = ${subject}, linked_until = null
    from users
    where users.id = account.user_id and users.email = ${email} and account.issuer = ${issuer}
      and account.subject is null and account.linked_until > now()
    returning account.user_id`)
  return rows.length > 0
}

/** Replaces the account of the user. False if another user has this account. */
export async function putCompanyAccount(
  tx: Transaction,
  userId: number,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<boolean> {
  await tx.query(sql`delete from company_accounts where user_id = ${userId}`)
  const rows = await tx.query(sql`
    insert into company_accounts (user_id, issuer, subject) values (${userId}, ${issuer}, ${subject})
    on conflict (issuer, subject) do nothing returning user_id`)
  return rows.length > 0
}

/** The next sign-in with the verified email of the user links its account. Replaces an earlier link. */
export async function prepareLink(
  tx: Transaction,
  userId: number,
  issuer: string,
  validSeconds: number,
): Promise<void> {
  await tx.query(sql`
    insert into company_accounts as own (user_id, issuer, linked_until)
    values (${userId}, ${issuer}, now() + make_interval(secs => ${validSeconds}))
    on conflict (user_id) do update
    set issuer = excluded.issuer, subject = null, linked_until = excluded.linked_until, created_at = now()`)
}

export async function deleteCompanyAccount(tx: Transaction, userId: number): Promise<boolean> {
  const rows = await tx.query(sql`delete from company_accounts where user_id = ${userId} returning user_id`)
  return rows.length > 0
}

/** Whether the user has an account at this provider. */
export async function isLinked(database: Queryable, userId: number, issuer: string): Promise<boolean> {
  const rows = await database.query(sql<{ user_id: number }>`
    select user_id from company_accounts
    where user_id = ${userId} and issuer = ${issuer} and subject is not null`)
  return rows.length > 0
}

/** Accounts that their users cannot sign in with, because they belong to another provider. */
export async function countOtherIssuers(database: Queryable, issuer: string): Promise<number> {
  const [row] = await database.query(sql<{ count: number }>`
    select count(*)::int as count from company_accounts where issuer <> ${issuer} and subject is not null`)
  return row?.count ?? 0
}
