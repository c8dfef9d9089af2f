import type { SecretCipher } from '../../platform/secrets/secret-cipher.ts'
import type { AiProvider } from './ai-provider.schema.ts'
import type { StoredProvider } from './ai-provider.sql.ts'
import { fromMillionths } from './amounts.ts'
import { readProviderKey } from './open-provider.ts'

/** What clients see: everything except the key, and except the address of a provider that the operator offers. */
export async function showProvider(
  cipher: SecretCipher,
  projectId: number,
  row: StoredProvider,
): Promise<AiProvider> {
  const { name, kind, base_url, currency, models, concurrency, requests_per_minute, findings, state } = row
  const { is_offered, cap, monthly_budget, created_at, updated_at } = row
  const isUnreadable = (await readProviderKey(cipher, projectId, row)) === undefined
  const budget = is_offered ? cap : monthly_budget
  return {
    ...{ name, kind, base_url: is_offered ? null : base_url, has_key: row.key !== null, currency, models },
    ...{ concurrency, requests_per_minute, monthly_budget: budget === null ? null : fromMillionths(budget) },
    state: isUnreadable ? 'disabled' : state,
    disabled_reason: isUnreadable ? 'key_unreadable' : state === 'disabled' ? 'restored' : null,
    ...{ findings, offered: is_offered, created_at, updated_at },
  }
}
