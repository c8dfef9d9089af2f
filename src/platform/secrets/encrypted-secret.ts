import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { findSecret, keptSecret } from '../database/stored-secret.ts'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const secretBytes = 32
const keptName = 'webhooks'
const secretPrefix = 'whsec_'

type Key = { id: string; bytes: Buffer }

export type SecretBox = {
  /** A new secret, and as the database has it: the id of the key, and what that key encrypted, in base64. */
  make(projectId: number): Promise<{ secret: string; encrypted: string }>
  /** A secret that was made before, as the database may have it. */
  seal(projectId: number, secret: string): Promise<string>
  /** The bytes that sign; undefined where no key reads them any more. */
  open(projectId: number, encrypted: string): Promise<Buffer | undefined>
}

/**
 * Encrypts the secrets of webhooks by the first of the configured keys, or else by one that is kept in the database. Each of the keys
 * reads, and so does the kept one: secrets that are older than the configuration stay readable.
 */
export function secretBox(database: Queryable, configured: readonly string[]): SecretBox {
  const kept = keptSecret(database, keptName)
  const own = configured.map((text) => keyOf(Buffer.from(text, 'base64')))
  const keptKey = async () => keyOfKept(await kept())
  const find = async (id: string) => {
    const key = own.find((one) => one.id === id) ?? (await keptKey())
    return key.id === id ? key : undefined
  }
  const seal = async (projectId: number, secret: string) =>
    encrypt(own[0] ?? (await keptKey()), projectId, Buffer.from(secret.slice(secretPrefix.length), 'base64'))
  return {
    async make(projectId) {
      const secret = secretOf(randomBytes(secretBytes))
      return { secret, encrypted: await seal(projectId, secret) }
    },
    seal,
    async open(projectId, encrypted) {
      const [keyId = '', text = ''] = encrypted.split('.')
      const key = await find(keyId)
      return key && decrypt(key, projectId, Buffer.from(text, 'base64'))
    },
  }
}

/** As Standard Webhooks writes the bytes that sign. */
export function secretOf(bytes: Buffer): string {
  return `${secretPrefix}${bytes.toString('base64')}`
}

/** The id of the key that the database keeps, where it has made one. */
export async function findKeptKeyId(database: Queryable): Promise<string | undefined> {
  const kept = await findSecret(database, keptName)
  return kept === undefined ? undefined : keyOfKept(kept).id
}

/** The id of the key that encrypted a webhook's secret. */
export const keyIdOfSecret = sql`split_part(secret, '.', 1)`

function keyOfKept(text: string): Key {
  return keyOf(Buffer.from(text, 'base64url'))
}

function keyOf(bytes: Buffer): Key {
  return { id: hash('sha256', bytes).slice(0, 8), bytes }
}

/** The project is part of what is proven: a secret that is copied into another project opens nothing there. */
function encrypt({ id, bytes }: Key, projectId: number, plain: Buffer): string {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, bytes, nonce).setAAD(Buffer.from(String(projectId)))
  const sealed = Buffer.concat([sealing.update(plain), sealing.final()])
  return `${id}.${Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64')}`
}

function decrypt({ bytes: key }: Key, projectId: number, bytes: Buffer): Buffer | undefined {
  const nonce = bytes.subarray(0, nonceBytes)
  const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes)
  try {
    const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
    opening.setAAD(Buffer.from(String(projectId))).setAuthTag(tag)
    return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()])
  } catch {
    return undefined
  }
}
