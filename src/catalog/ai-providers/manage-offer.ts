import type { Actor } from '../../access/audit/audit.sql.ts'
import { listPlans } from '../../access/projects/plan.sql.ts'
import type { Queryable, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { SecretCipher } from '../../platform/secrets/secret-cipher.ts'
import type { AiProviderPut, ProviderFindings } from './ai-provider.schema.ts'
import { fromMillionths, toMillionths } from './amounts.ts'
import type { Models } from './call-model.ts'
import { isSameApi, rejectRepeatedModels, requireBaseUrl, requireKey } from './check-provider.ts'
import { type ProviderTools, recordProviderAction } from './manage-provider.ts'
import { deleteOffer, findOffer, type Offer, storeOffer, storeOfferFindings } from './offer.sql.ts'
import { keyOwner, operator, readProviderKey, withKey } from './open-provider.ts'
import { findOut } from './test-provider.ts'

/** What operators see: everything except the key. Amounts are in units of the currency. */
export type ShownOffer = Omit<Offer, 'key'> & { has_key: boolean }
export type OfferInput = Omit<AiProviderPut, 'monthly_budget'> & {
  plans: string[]
  project_cap: number | null
}

export function showOffer({ key, project_cap, ...offer }: Offer): ShownOffer {
  return {
    ...offer,
    has_key: key !== null,
    project_cap: project_cap === null ? null : fromMillionths(project_cap),
  }
}

/** Offers a provider to all projects of these plans, or changes it. The rules for addresses and keys are those of projects. */
export async function setOffer(
  database: Writable,
  { cipher, allow }: ProviderTools,
  actor: Actor,
  name: string,
  input: OfferInput,
): Promise<ShownOffer> {
  const base_url = requireBaseUrl(input.base_url, allow)
  rejectRepeatedModels(input)
  await requirePlans(database, input.plans)
  const { kind, currency, models, plans, requests_per_minute = null, concurrency = 4 } = input
  const sent =
    typeof input.key === 'string' ? await cipher.encryptText(keyOwner(operator), input.key) : input.key
  return database.transaction(async (tx) => {
    const before = await findOffer(tx, name)
    await storeOffer(tx, name, {
      ...{ kind, base_url, currency, models, concurrency, requests_per_minute, plans },
      key: requireKey(before, { kind, base_url }, sent),
      project_cap: input.project_cap === null ? null : Number(toMillionths(input.project_cap)),
      findings: before !== undefined && isSameApi(before, { kind, base_url }) ? before.findings : null,
    })
    const shown = showOffer(await requireOffer(tx, name))
    await recordProviderAction(tx, actor, 'ai_provider.offer', undefined, name, shown)
    return shown
  })
}

/** Runs that use the provider pause. */
export function removeOffer(database: Writable, actor: Actor, name: string): Promise<void> {
  return database.transaction(async (tx) => {
    if (!(await deleteOffer(tx, name))) throw offerNotFound(name)
    await recordProviderAction(tx, actor, 'ai_provider.withdraw', undefined, name, {})
  })
}

export async function testOffer(
  database: Writable,
  { cipher, models }: { cipher: SecretCipher; models: Models },
  actor: Actor,
  name: string,
): Promise<ProviderFindings> {
  const offer = await requireOffer(database, name)
  const row = { ...offer, monthly_budget: null, is_offered: true, cap: offer.project_cap, has_row: false }
  const key = await readProviderKey(cipher, operator, row)
  if (key === undefined) throw new Problem('key_unreadable')
  const findings = await findOut(models, withKey(row, key))
  await database.transaction(async (tx) => {
    await storeOfferFindings(tx, offer, findings)
    await recordProviderAction(tx, actor, 'ai_provider.test', undefined, name, findings)
  })
  return findings
}

async function requireOffer(database: Queryable, name: string): Promise<Offer> {
  const offer = await findOffer(database, name)
  if (offer === undefined) throw offerNotFound(name)
  return offer
}

async function requirePlans(database: Queryable, plans: readonly string[]): Promise<void> {
  const known = (await listPlans(database)).map(({ code }) => code)
  const unknown = plans.find((plan) => !known.includes(plan))
  if (unknown !== undefined)
    throw new Error(`there is no plan ${unknown}; "catalog plan list" lists all plans`)
}

function offerNotFound(name: string): Error {
  return new Error(`there is no offered provider ${name}; "catalog ai provider list" lists all of them`)
}
