import type { LanguageModel } from 'ai'
import type { OpenProvider } from './open-provider.ts'

/** How JSON is requested: as a schema, as any JSON object, or only in the prompt. */
export type JsonMode = 'json_schema' | 'json_object' | 'plain'

export type Libraries = Awaited<ReturnType<typeof loadLibraries>>

/** Loaded at the first call, because most processes never make one. */
export async function loadLibraries() {
  // Otherwise it writes warnings to the console, next to our log.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const [ai, compatible, anthropic, google] = await Promise.all([
    import('ai'),
    import('@ai-sdk/openai-compatible'),
    import('@ai-sdk/anthropic'),
    import('@ai-sdk/google'),
  ])
  return { ai, compatible, anthropic, google }
}

/** For a model without a test, the newest way is assumed, which all current servers know. */
export function jsonModeOf({ findings }: Pick<OpenProvider, 'findings'>, model: string): JsonMode {
  const found = findings?.models.find(({ name }) => name === model)
  if (found === undefined || found.json_schema) return 'json_schema'
  return found.json_object ? 'json_object' : 'plain'
}

/**
 * A model object; `ai` would send a name to a gateway. Keys and addresses are always given, because the libraries otherwise read
 * them from the environment of the service.
 */
export function createModel(
  { compatible, anthropic, google }: Libraries,
  { kind, base_url: baseURL, key }: Pick<OpenProvider, 'kind' | 'base_url' | 'key'>,
  name: string,
  mode: JsonMode,
  fetch: typeof globalThis.fetch,
): LanguageModel {
  const apiKey = key ?? ''
  if (kind === 'anthropic') return anthropic.createAnthropic({ baseURL, apiKey, fetch })(name)
  if (kind === 'google') return google.createGoogle({ baseURL, apiKey, fetch })(name)
  return compatible.createOpenAICompatible({
    ...{ name: 'provider', baseURL, apiKey, fetch },
    supportsStructuredOutputs: mode === 'json_schema',
    ...(isOpenAi(baseURL) && { transformRequestBody: renameTokenLimit }),
  })(name)
}

function isOpenAi(baseUrl: string): boolean {
  return new URL(baseUrl).hostname === 'api.openai.com'
}

/** OpenAI rejects `max_tokens` for its newer models; other servers do not know the new name. */
function renameTokenLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens }
}
