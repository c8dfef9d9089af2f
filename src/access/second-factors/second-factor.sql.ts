import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql, write } from '../../platform/database/sql.ts'
import type { Role } from '../roles.ts'

/** The second factors of a user. */
export type Factors = { totp: boolean; passkeys: number; recovery_codes: number }

export async function findFactors(database: Queryable, userId: number): Promise<Factors> {
  const [row] = await database.query(sql<Factors>`
    select exists (select from totp_secrets where user_id = ${userId} and confirmed_at is not null) as totp,
      (select count(*) from passkeys where user_id = ${userId}) as passkeys,
      (select count(*) from recovery_codes where user_id = ${userId}) as recovery_codes`)
  return row as Factors
}

export function hasFactor({ totp, passkeys }: Factors): boolean {
  return totp || passkeys > 0
}

export type StoredTotp = { secret: string; confirmed_at: string | null; last_step: number }

export async function findTotp(database: Queryable, userId: number): Promise<StoredTotp | undefined> {
  const [row] = await database.query(sql<StoredTotp>`
    select secret, confirmed_at, last_step from totp_secrets where user_id = ${userId}`)
  return row
}

/** The encrypted secrets of confirmed apps, by user. */
export function listTotpSecrets(
  database: Queryable,
  limit: number,
): Promise<{ user_id: number; email: string; secret: string }[]> {
  return database.query(sql<{ user_id: number; email: string; secret: string }>`
    select totp.user_id, users.email, totp.secret
    from totp_secrets as totp join users on users.id = totp.user_id
    where totp.confirmed_at is not null order by totp.user_id limit ${limit}`)
}

/** Replaces a secret that was never confirmed. False if the user has a confirmed one. */
export async function putTotp(tx: Transaction, userId: number, secret: string): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into totp_secrets as own (user_id, secret) values (${userId}, ${secret})
    on conflict (user_id) do update set secret = excluded.secret, created_at = now() where own.confirmed_at is null
    returning user_id`)
  return rows.length > 0
}

/** False if the secret is confirmed already, or was replaced meanwhile. */
export async function confirmTotp(
  tx: Transaction,
  userId: number,
  secret: string,
  step: number,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update totp_secrets set confirmed_at = now(), last_step = ${step}
    where user_id = ${userId} and secret = ${secret} and confirmed_at is null returning user_id`)
  return rows.length > 0
}

/** False if a code of this step, or of a later one, was accepted before: only one of two equal requests gets true. */
export async function takeTotpStep(database: Queryable, userId: number, step: number): Promise<boolean> {
  const statement = sql`
    update totp_secrets set last_step = ${step}
    where user_id = ${userId} and last_step < ${step} and confirmed_at is not null returning user_id`
  return (await database.query(write(statement))).length > 0
}

export async function deleteTotp(tx: Transaction, userId: number): Promise<boolean> {
  return (
    (await tx.query(sql`delete from totp_secrets where user_id = ${userId} returning user_id`)).length > 0
  )
}

export async function replaceRecoveryCodes(
  tx: Transaction,
  userId: number,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.query(sql`delete from recovery_codes where user_id = ${userId}`)
  await tx.query(sql`
    insert into recovery_codes (user_id, code_hash) select ${userId}, unnest(${hashes}::bytea[])`)
}

/** False for an unknown code: of two requests with one code, only one gets true. */
export async function takeRecoveryCode(database: Queryable, userId: number, hash: Buffer): Promise<boolean> {
  const statement = sql`
    delete from recovery_codes where user_id = ${userId} and code_hash = ${hash} returning user_id`
  return (await database.query(write(statement))).length > 0
}

/** Ends all other sessions. The kept one counts as opened with a second factor. */
export async function keepOnlySession(tx: Transaction, userId: number, tokenHash: string): Promise<void> {
  await tx.query(sql`delete from sessions where user_id = ${userId} and token_hash <> ${tokenHash}`)
  await tx.query(sql`update sessions set second_factor = true where token_hash = ${tokenHash}`)
}

/** The session no longer has proof of a second factor, because its user has none. */
export async function forgetSecondFactor(tx: Transaction, userId: number): Promise<void> {
  await tx.query(sql`update sessions set second_factor = false where user_id = ${userId}`)
}

export async function setResetNotice(tx: Transaction, userId: number): Promise<void> {
  await tx.query(sql`update users set second_factor_reset_at = now() where id = ${userId}`)
}

export async function clearResetNotice(database: Queryable, userId: number): Promise<void> {
  await database.query(write(sql`update users set second_factor_reset_at = null where id = ${userId}`))
}

/** False if the challenge was used before. */
export async function takeChallenge(
  database: Queryable,
  key: Buffer,
  validSeconds: number,
): Promise<boolean> {
  const statement = sql`
    insert into used_challenges (key, expires_at) values (${key}, now() + make_interval(secs => ${validSeconds}))
    on conflict do nothing returning key`
  return (await database.query(write(statement))).length > 0
}

export async function listRequiredRoles(database: Queryable): Promise<Role[]> {
  const rows = await database.query(sql<{ role: Role }>`select role from second_factor_roles order by role`)
  return rows.map(({ role }) => role)
}

export async function replaceRequiredRoles(tx: Transaction, roles: readonly Role[]): Promise<void> {
  await tx.query(sql`delete from second_factor_roles where role <> all(${roles}::text[])`)
  await tx.query(sql`
    insert into second_factor_roles (role) select unnest(${roles}::text[]) on conflict do nothing`)
}

/** Whether a role of the user requires a second factor. */
export const requiresSecondFactor = sql`exists (
  select from second_factor_roles as required
  where (required.role = 'operator' and users.operator) or exists (
    select from memberships as own where own.user_id = users.id and own.role = required.role))`

export async function isFactorRequired(database: Queryable, userId: number): Promise<boolean> {
  const [row] = await database.query(sql<{ required: boolean }>`
    select ${requiresSecondFactor} as required from users where users.id = ${userId}`)
  return row?.required ?? false
}
