import type { Actor } from '../../access/audit/audit.sql.ts'
import type { Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { SecretCipher } from '../../platform/secrets/secret-cipher.ts'
import { providerLimits } from '../limits.ts'
import type { ProviderFindings } from './ai-provider.schema.ts'
import { storeFindings } from './ai-provider.sql.ts'
import type { ModelResponse, Models } from './call-model.ts'
import { recordProviderAction, requireProvider } from './manage-provider.ts'
import type { JsonMode } from './model-libraries.ts'
import { type OpenProvider, readProviderKey, withKey } from './open-provider.ts'

type Tools = { cipher: SecretCipher; models: Models }

/** Calls the first model in every way in which it may return JSON, and remembers what works. */
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

/** The calls run at the same time, so that a test takes as long as its slowest call. */
export async function findOut(models: Models, provider: OpenProvider): Promise<ProviderFindings> {
  const ask = (mode: JsonMode): Promise<ModelResponse> => {
    const signal = AbortSignal.timeout(providerLimits.testMilliseconds)
    return models.call(provider, { ...requestFor(provider), signal }, mode)
  }
  const [bySchema, asObject, plain] = await Promise.all([
    ask('json_schema'),
    ask('json_object'),
    ask('plain'),
  ])
  const responses = [bySchema, asObject, plain]
  const working = responses.filter(hasColor)
  return {
    reachable: responses.some(isResponse),
    json_schema: hasColor(bySchema),
    json_object: hasColor(asObject),
    plain: hasColor(plain),
    usage: working.length > 0 && working.every(({ usage }) => usage !== undefined),
  }
}

function requestFor({ models: [model] }: OpenProvider) {
  return {
    model: model?.name ?? '',
    system: 'You answer questions with JSON.',
    user: 'Which color does a ripe tomato have?',
    schema,
    maxOutputTokens: Math.min(model?.max_output_tokens ?? 1, providerLimits.testOutputTokens),
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
