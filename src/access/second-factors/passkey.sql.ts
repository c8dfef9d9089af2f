import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql, write } from '../../platform/database/sql.ts'
import type { Passkey } from './second-factor.schema.ts'

export type StoredPasskey = {
  id: number
  user_id: number
  operator: boolean
  credential_id: string
  public_key: Buffer
  sign_count: number
  transports: string[]
}

export type NewPasskey = Omit<StoredPasskey, 'id' | 'user_id' | 'operator'> & { name: string }

export function listPasskeys(database: Queryable, userId: number): Promise<Passkey[]> {
  return database.query(sql<Passkey>`
    select id, name, created_at, last_used_at from passkeys where user_id = ${userId} order by id`)
}

export function listCredentials(database: Queryable, userId: number): Promise<StoredPasskey[]> {
  return database.query(sql<StoredPasskey>`
    select passkey.id, passkey.user_id, users.operator, passkey.credential_id, passkey.public_key, passkey.sign_count,
      passkey.transports
    from passkeys as passkey join users on users.id = passkey.user_id
    where passkey.user_id = ${userId} order by passkey.id`)
}

/** Undefined also if the user is disabled. */
export async function findCredential(
  database: Queryable,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  const [row] = await database.query(sql<StoredPasskey>`
    select passkey.id, passkey.user_id, users.operator, passkey.credential_id, passkey.public_key, passkey.sign_count,
      passkey.transports
    from passkeys as passkey join users on users.id = passkey.user_id
    where passkey.credential_id = ${credentialId} and users.disabled_at is null`)
  return row
}

/** False if the credential is registered already. */
export async function insertPasskey(tx: Transaction, userId: number, passkey: NewPasskey): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into passkeys (user_id, name, credential_id, public_key, sign_count, transports)
    values (${userId}, ${passkey.name}, ${passkey.credential_id}, ${passkey.public_key}, ${passkey.sign_count},
      ${passkey.transports}::text[])
    on conflict (credential_id) do nothing returning id`)
  return rows.length > 0
}

/** False if a copy of the passkey was used meanwhile: its count of signatures then is not higher. */
export async function recordPasskeyUse(
  database: Queryable,
  { id, sign_count }: StoredPasskey,
  next: number,
): Promise<boolean> {
  const statement = sql`
    update passkeys set sign_count = ${next}, last_used_at = now()
    where id = ${id} and sign_count = ${sign_count} returning id`
  return (await database.query(write(statement))).length > 0
}

export async function renamePasskey(
  database: Queryable,
  userId: number,
  id: number,
  name: string,
): Promise<boolean> {
  const statement = sql`update passkeys set name = ${name} where user_id = ${userId} and id = ${id} returning id`
  return (await database.query(write(statement))).length > 0
}

export async function deletePasskey(tx: Transaction, userId: number, id: number): Promise<boolean> {
  const rows = await tx.query(sql`delete from passkeys where user_id = ${userId} and id = ${id} returning id`)
  return rows.length > 0
}

export async function deletePasskeysOf(tx: Transaction, userId: number): Promise<void> {
  await tx.query(sql`delete from passkeys where user_id = ${userId}`)
}
