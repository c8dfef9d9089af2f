import { type Actor, insertAuditEntry } from '../../access/audit/audit.sql.ts'
import { lockProject } from '../../access/projects/project.sql.ts'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import {
  readOnlyInCreate,
  readOnlyOf,
  rejectChangedReadOnly,
} from '../../platform/http/body/read-only-fields.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { SecretCipher } from '../../platform/secrets/secret-cipher.ts'
import { providerLimits } from '../limits.ts'
import type { AiProvider, AiProviderPut } from './ai-provider.schema.ts'
import {
  countOwnProviders,
  deleteProviderRow,
  findStoredProvider,
  type StoredProvider,
  storeProvider,
} from './ai-provider.sql.ts'
import { toMillionths } from './amounts.ts'
import { isSameApi, rejectRepeatedModels, requireBaseUrl, requireKey } from './check-provider.ts'
import { keyOwner } from './open-provider.ts'
import { showProvider } from './show-provider.ts'

/** The cipher for keys, and the origins that the operator allows. */
export type ProviderTools = { cipher: SecretCipher; allow: readonly string[] }
type Place = { projectId: number; actor: Actor; name: string }

/** Creates or replaces the provider, and enables it. The key is stored only in its encrypted form. */
export async function putProvider(
  database: Writable,
  { cipher, allow }: ProviderTools,
  { projectId, actor, name }: Place,
  body: AiProviderPut,
): Promise<{ provider: AiProvider; isNew: boolean }> {
  const base_url = requireBaseUrl(body.base_url, allow)
  rejectRepeatedModels(body)
  const sent =
    typeof body.key === 'string' ? await cipher.encryptText(keyOwner(projectId), body.key) : body.key
  return database.transaction(async (tx) => {
    // Serializes changes, so that concurrent requests cannot exceed the limit.
    await lockProject(tx, projectId)
    const found = await findStoredProvider(tx, projectId, name)
    const before = found?.is_offered === false ? found : undefined
    const sentReadOnly = readOnlyOf(body)
    if (before !== undefined)
      rejectChangedReadOnly(sentReadOnly, await showProvider(cipher, projectId, before))
    else if (sentReadOnly !== undefined)
      throw new Problem('invalid_body', { errors: readOnlyInCreate(sentReadOnly) })
    if (before === undefined && (await countOwnProviders(tx, projectId)) >= providerLimits.providers)
      throw new Problem('too_many_providers')
    const { kind, currency, models, concurrency = providerLimits.concurrencyByDefault } = body
    const { requests_per_minute = null, monthly_budget = null } = body
    const key = requireKey(before, { kind, base_url }, sent)
    await storeProvider(tx, projectId, name, {
      ...{ kind, base_url, key, currency, models, concurrency, requests_per_minute },
      monthly_budget: monthly_budget === null ? null : Number(toMillionths(monthly_budget)),
      findings: before !== undefined && isSameApi(before, { kind, base_url }) ? before.findings : null,
    })
    const keyChange = sent === undefined ? 'kept' : sent === null ? 'removed' : 'replaced'
    await recordProviderAction(tx, actor, 'ai_provider.set', projectId, name, {
      ...{
        kind,
        base_url,
        currency,
        models,
        concurrency,
        requests_per_minute,
        monthly_budget,
        key: keyChange,
      },
    })
    const stored = (await findStoredProvider(tx, projectId, name)) as StoredProvider
    return { provider: await showProvider(cipher, projectId, stored), isNew: before === undefined }
  })
}

/** Runs of the provider pause. */
export function deleteProvider(database: Writable, { projectId, actor, name }: Place): Promise<void> {
  return database.transaction(async (tx) => {
    await lockProject(tx, projectId)
    const found = await requireProvider(tx, projectId, name)
    if (found.is_offered) throw new Problem('provider_offered')
    await deleteProviderRow(tx, projectId, name)
    await recordProviderAction(tx, actor, 'ai_provider.delete', projectId, name, {})
  })
}

export async function requireProvider(
  database: Pick<Transaction, 'query'>,
  projectId: number,
  name: string,
): Promise<StoredProvider> {
  const row = await findStoredProvider(database, projectId, name)
  if (row === undefined) throw new Problem('not_found', { detail: `There is no AI provider ${name}.` })
  return row
}

export function recordProviderAction(
  tx: Transaction,
  actor: Actor,
  action: string,
  projectId: number | undefined,
  name: string,
  details: object,
): Promise<void> {
  const place = projectId === undefined ? {} : { projectId }
  return insertAuditEntry(tx, actor, { action, ...place, target: `AI provider ${name}`, details })
}
