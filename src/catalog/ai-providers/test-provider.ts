import type { Actor } from '../../access/audit/audit.sql.ts'
import type { Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { limitConcurrency } from '../../platform/scheduling/concurrency-limit.ts'
import type { SecretCipher } from '../../platform/secrets/secret-cipher.ts'
import { providerLimits } from '../limits.ts'
import type { ModelFindings, ProviderFindings } from './ai-provider.schema.ts'
import { storeFindings } from './ai-provider.sql.ts'
import type { ModelResponse, Models } from './call-model.ts'
import { recordProviderAction, requireProvider } from './manage-provider.ts'
import type { JsonMode } from './model-libraries.ts'
import { type ModelPrice, type OpenProvider, readProviderKey, withKey } from './open-provider.ts'

type Tools = { cipher: SecretCipher; models: Models }

/** Calls each model in every way in which it may return JSON, and remembers what works. */
export async function testProvider(
  database: Writable,
  { cipher, models }: Tools,
  { projectId, actor, name }: { projectId: number; actor: Actor; name: string },
): Promise<ProviderFindings> {
  const row = await requireProvider(database, projectId, name)
  // The operator pays for it, and no cap limits tests.
  if (row.is_offered) throw new Problem('provider_offered')
  const key = await readProviderKey(cipher, projectId, row)
  if (key === undefined) throw new Problem('key_unreadable')
  const findings = await findOut(models, withKey(row, key))
  await database.transaction(async (tx) => {
    await storeFindings(tx, projectId, row, findings)
    await recordProviderAction(tx, actor, 'ai_provider.test', projectId, name, findings)
  })
  return findings
}

const schema = {
  type: 'object',
  properties: { color: { type: 'string', enum: ['red', 'green', 'blue'] } },
  required: ['color'],
}

/** Tests all models within one time limit, with as many calls at once as runs make. */
export async function findOut(models: Models, provider: OpenProvider): Promise<ProviderFindings> {
  const signal = AbortSignal.timeout(providerLimits.testMilliseconds)
  const calls = limitConcurrency({ most: Math.max(3, provider.concurrency), maxWaitSeconds: 0 })
  const ask = (model: ModelPrice, mode: JsonMode) =>
    calls
      .run(() => models.call(provider, { ...requestFor(model), signal }, mode), undefined, signal)
      .catch(() => unanswered)
  const tested = await Promise.all(provider.models.map((model) => testModel(model, ask)))
  const found = tested.filter((one) => one !== undefined)
  const all = (ability: keyof Omit<ModelFindings, 'name'>) =>
    found.length > 0 && found.every((one) => one[ability])
  return {
    reachable: found.length > 0,
    ...{ json_schema: all('json_schema'), json_object: all('json_object'), plain: all('plain') },
    ...{ usage: all('usage'), models: found },
  }
}

const unanswered: ModelResponse = { outcome: 'failed', reason: 'no response in time', usage: undefined }

/** Undefined if the model did not respond. */
async function testModel(
  model: ModelPrice,
  ask: (model: ModelPrice, mode: JsonMode) => Promise<ModelResponse>,
): Promise<ModelFindings | undefined> {
  const modes = ['json_schema', 'json_object', 'plain'] as const
  const responses = await Promise.all(modes.map((mode) => ask(model, mode)))
  if (!responses.some(isResponse)) return undefined
  const [json_schema = false, json_object = false, plain = false] = responses.map(hasColor)
  const working = responses.filter(hasColor)
  const usage = working.length > 0 && working.every((response) => response.usage !== undefined)
  return { name: model.name, json_schema, json_object, plain, usage }
}

function requestFor({ name, max_output_tokens }: ModelPrice) {
  return {
    ...{ model: name, system: 'You answer questions with JSON.', schema },
    user: 'Which color does a ripe tomato have?',
    maxOutputTokens: Math.min(max_output_tokens, providerLimits.testOutputTokens),
  }
}

function hasColor(response: ModelResponse): boolean {
  return response.outcome === 'values' && typeof response.values['color'] === 'string'
}

/** Whether the provider sent a response, whatever it was. */
function isResponse(response: ModelResponse): boolean {
  if (response.outcome === 'timed_out') return false
  return response.outcome !== 'failed' || response.status !== undefined
}
