import type { Queryable } from '../../platform/database/database.ts'
import { write } from '../../platform/database/sql.ts'
import type { SecretCipher } from '../../platform/secrets/secret-cipher.ts'
import type { ProviderFindings, ProviderKind } from './ai-provider.schema.ts'
import { findStoredProvider, insertOfferedRow, type StoredProvider } from './ai-provider.sql.ts'
import { toMillionths } from './amounts.ts'

/** Prices are in millionths of the currency per 1,000,000 tokens. */
export type ModelPrice = {
  name: string
  input_price: bigint
  output_price: bigint
  max_output_tokens: number
}

/** A provider with its key, ready for calls. Never log it or return it to a client. */
export type OpenProvider = {
  name: string
  kind: ProviderKind
  base_url: string
  key: string | null
  currency: string
  models: ModelPrice[]
  concurrency: number
  requests_per_minute: number | null
  /** In millionths of the currency. */
  monthly_budget: bigint | null
  /** Null until the provider is tested. */
  findings: ProviderFindings | null
  isOffered: boolean
  /** What the operator lets the project spend per month with an offered provider, in millionths. */
  cap: bigint | null
}

export type Opened =
  | { provider: OpenProvider }
  | { reason: 'provider_gone' | 'provider_disabled' | 'key_unreadable' }

/**
 * Reads a provider and decrypts its key. The project's own provider takes precedence over an offered one of the same name. After
 * this call, `ai_providers` has a row for the provider, also if it is offered.
 */
export async function openProvider(
  database: Queryable,
  cipher: SecretCipher,
  projectId: number,
  name: string,
): Promise<Opened> {
  const row = await findStoredProvider(database, projectId, name)
  if (row === undefined) return { reason: 'provider_gone' }
  if (row.state === 'disabled') return { reason: 'provider_disabled' }
  const key = await readProviderKey(cipher, projectId, row)
  if (key === undefined) return { reason: 'key_unreadable' }
  if (!row.has_row) await database.query(write(insertOfferedRow(projectId, name)))
  return { provider: withKey(row, key) }
}

export function withKey(row: StoredProvider, key: string | null): OpenProvider {
  const { name, kind, base_url, currency, concurrency, requests_per_minute, findings } = row
  return {
    ...{ name, kind, base_url, key, currency, concurrency, requests_per_minute, findings },
    models: row.models.map((model) => ({
      ...model,
      input_price: toMillionths(model.input_price),
      output_price: toMillionths(model.output_price),
    })),
    monthly_budget: row.monthly_budget === null ? null : BigInt(row.monthly_budget),
    isOffered: row.is_offered,
    cap: row.cap === null ? null : BigInt(row.cap),
  }
}

/** Null if the provider needs no key; undefined if no encryption key decrypts it. */
export async function readProviderKey(
  cipher: SecretCipher,
  projectId: number,
  { key, is_offered }: Pick<StoredProvider, 'key' | 'is_offered'>,
): Promise<string | null | undefined> {
  if (key === null) return null
  return cipher.decryptText(keyOwner(is_offered ? operator : projectId), key)
}

/** Owner of the keys of offered providers. */
export const operator = 0

export function keyOwner(projectId: number) {
  return { projectId, purpose: 'ai_provider' } as const
}
