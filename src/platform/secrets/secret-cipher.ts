import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { findSecret, storedSecret } from '../database/stored-secret.ts'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const secretBytes = 32
const storedName = 'webhooks'
const secretPrefix = 'whsec_'

type Key = { id: string; bytes: Buffer }

export type SecretCipher = {
  /** A new secret, and its encrypted form: the key ID and the encrypted bytes in base64. */
  create(projectId: number): Promise<{ secret: string; encrypted: string }>
  encrypt(projectId: number, secret: string): Promise<string>
  /** The bytes of the secret; undefined if none of the keys decrypts it. */
  decrypt(projectId: number, encrypted: string): Promise<Buffer | undefined>
  /** For secrets other than those of webhooks. It also authenticates the purpose. */
  encryptText(owner: SecretOwner, text: string): Promise<string>
  /** Undefined if none of the keys decrypts it, or if it belongs to another project or purpose. */
  decryptText(owner: SecretOwner, encrypted: string): Promise<string | undefined>
}

/** The project is 0 for a secret of the operator. */
type SecretOwner = { projectId: number; purpose: 'ai_provider' }

/**
 * Encrypts secrets with the first configured key, or with a key that is stored in the database. All configured keys and
 * the stored key decrypt, so that secrets which are older than the configuration stay readable.
 */
export function secretCipher(database: Queryable, configured: readonly string[]): SecretCipher {
  const stored = storedSecret(database, storedName)
  const own = configured.map((text) => keyOf(Buffer.from(text, 'base64')))
  const storedKey = async () => parseStoredKey(await stored())
  const find = async (id: string) => {
    const key = own.find((one) => one.id === id) ?? (await storedKey())
    return key.id === id ? key : undefined
  }
  const seal = async (authenticated: string, plain: Buffer) =>
    encryptBytes(own[0] ?? (await storedKey()), authenticated, plain)
  const open = async (authenticated: string, encrypted: string) => {
    const [keyId = '', text = ''] = encrypted.split('.')
    const key = await find(keyId)
    return key && decryptBytes(key, authenticated, Buffer.from(text, 'base64'))
  }
  const encrypt = (projectId: number, secret: string) =>
    seal(String(projectId), Buffer.from(secret.slice(secretPrefix.length), 'base64'))
  return {
    async create(projectId) {
      const secret = formatSecret(randomBytes(secretBytes))
      return { secret, encrypted: await encrypt(projectId, secret) }
    },
    encrypt,
    decrypt: (projectId, encrypted) => open(String(projectId), encrypted),
    encryptText: (owner, text) => seal(authenticatedOf(owner), Buffer.from(text, 'utf8')),
    decryptText: async (owner, encrypted) =>
      (await open(authenticatedOf(owner), encrypted))?.toString('utf8'),
  }
}

/** Webhook secrets have no purpose, because releases before 0.4.0 encrypted them with the project ID alone. */
function authenticatedOf({ projectId, purpose }: SecretOwner): string {
  return `${projectId}:${purpose}`
}

/** The format of Standard Webhooks. */
export function formatSecret(bytes: Buffer): string {
  return `${secretPrefix}${bytes.toString('base64')}`
}

/** The ID of the key that is stored in the database, if it has one. */
export async function findStoredKeyId(database: Queryable): Promise<string | undefined> {
  const stored = await findSecret(database, storedName)
  return stored === undefined ? undefined : parseStoredKey(stored).id
}

/** The ID of a configured key. */
export function keyIdOf(configured: string): string {
  return keyOf(Buffer.from(configured, 'base64')).id
}

/** The ID of the key that encrypted a webhook secret. */
export const keyIdOfSecret = sql`split_part(secret, '.', 1)`

function parseStoredKey(text: string): Key {
  return keyOf(Buffer.from(text, 'base64url'))
}

function keyOf(bytes: Buffer): Key {
  return { id: hash('sha256', bytes).slice(0, 8), bytes }
}

/** The project ID is authenticated too: a secret that is copied to another project cannot be decrypted there. */
function encryptBytes({ id, bytes }: Key, authenticated: string, plain: Buffer): string {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, bytes, nonce).setAAD(Buffer.from(authenticated))
  const encrypted = Buffer.concat([encryption.update(plain), encryption.final()])
  return `${id}.${Buffer.concat([nonce, encryption.getAuthTag(), encrypted]).toString('base64')}`
}

function decryptBytes({ bytes: key }: Key, authenticated: string, bytes: Buffer): Buffer | undefined {
  const nonce = bytes.subarray(0, nonceBytes)
  const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes)
  try {
    const decryption = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
    decryption.setAAD(Buffer.from(authenticated)).setAuthTag(tag)
    return Buffer.concat([decryption.update(bytes.subarray(nonceBytes + tagBytes)), decryption.final()])
  } catch {
    return undefined
  }
}
