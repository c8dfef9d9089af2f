import { type FetchRules, guardedFetch, NoResponse } from '../../platform/outbound/guarded-fetch.ts'
import { limitConcurrency } from '../../platform/scheduling/concurrency-limit.ts'
import { providerLimits } from '../limits.ts'
import { describeFailure, type Seen } from './describe-failure.ts'
import { createModel, type JsonMode, jsonModeOf, type Libraries, loadLibraries } from './model-libraries.ts'
import type { ModelRequest, ModelResponse } from './model-request.ts'
import type { OpenProvider } from './open-provider.ts'
import { readModelResponse, readUsage } from './read-model-response.ts'

export type { ModelRequest, ModelResponse, Usage } from './model-request.ts'

export type Models = {
  /** One request. Reports what the provider did and never throws for it. */
  call(provider: OpenProvider, request: ModelRequest, mode?: JsonMode): Promise<ModelResponse>
  close(): void
}

/** Step by step as responses arrive, so that a provider that sends slowly holds only what it sent. */
const responseMemory = {
  most: providerLimits.responseMemoryBytes,
  maxPerProject: providerLimits.projectResponseMemoryBytes,
  maxWaiting: Number.POSITIVE_INFINITY,
  // The timeout of the call limits the wait.
  maxWaitSeconds: 0,
  oneGoesBeyond: true,
}

/** Origins that the operator allows; tests also set limits. */
export type ModelRules = Pick<FetchRules, 'allow'> & Partial<FetchRules>

export function openModels(rules: ModelRules): Models {
  const outbound = guardedFetch({
    milliseconds: providerLimits.callMilliseconds,
    bytes: providerLimits.responseBytes,
    ...rules,
  })
  const memory = limitConcurrency(responseMemory)
  return {
    async call(provider, request, mode = jsonModeOf(provider, request.model)) {
      const libraries = await loadLibraries()
      const { signal } = request
      const seen: Seen = {}
      const held = memory.hold(request.project)
      const fetch = observedFetch(seen, (url, headers, body) =>
        outbound.send(url, { method: 'POST', headers, body, signal, reserve: held.take }),
      )
      return generate({ libraries, provider, request, mode, fetch })
        .catch((error) => (signal.aborted ? stopped : describeFailure(libraries, provider, seen, error)))
        .finally(held.leave)
    },
    close: outbound.close,
  }
}

/** The size of the request body that `call` would send. Loads the libraries, but sends nothing. */
export async function requestBytes(provider: OpenProvider, request: ModelRequest): Promise<number> {
  const libraries = await loadLibraries()
  let bytes: number | undefined
  const fetch = observedFetch({}, async (_url, _headers, body) => {
    bytes = Buffer.byteLength(body)
    throw new NoResponse('stopped')
  })
  await generate({ libraries, provider, request, mode: jsonModeOf(provider, request.model), fetch }).catch(
    () => {},
  )
  if (bytes === undefined) throw new Error('the library did not build a request')
  return bytes
}

type Generation = {
  libraries: Libraries
  provider: OpenProvider
  request: ModelRequest
  mode: JsonMode
  fetch: typeof globalThis.fetch
}

async function generate({ libraries, provider, request, mode, fetch }: Generation): Promise<ModelResponse> {
  const { generateText, Output, jsonSchema, parsePartialJson } = libraries.ai
  const { text, finishReason, usage } = await generateText({
    model: createModel(libraries, provider, request.model, mode, fetch),
    instructions: mode === 'json_schema' ? request.system : withSchema(request),
    prompt: request.user,
    maxOutputTokens: request.maxOutputTokens,
    maxRetries: 0,
    abortSignal: request.signal,
    telemetry: { isEnabled: false },
    ...(mode !== 'plain' && { output: Output.object({ schema: jsonSchema(request.schema) }) }),
  })
  return readModelResponse(
    { text, finishReason, usage: readUsage(provider.kind, usage) },
    async (cut) => (await parsePartialJson(cut)).value,
  )
}

/** The library sends the schema only to providers that support it. */
function withSchema({ system, schema }: ModelRequest): string {
  return `${system}\n\nRespond with one JSON object that matches this JSON schema, and nothing else:\n${JSON.stringify(schema)}`
}

const stopped: ModelResponse = { outcome: 'failed', reason: 'the call was stopped', usage: undefined }

/** The headers that providers need. The library adds others, which name its version and this runtime. */
const sentHeaders = [
  'content-type',
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'anthropic-version',
  'anthropic-beta',
]

function observedFetch(
  seen: Seen,
  send: (url: string, headers: Record<string, string>, body: string) => Promise<Response>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const given = new Headers(init?.headers)
    const headers = Object.fromEntries([...given].filter(([name]) => sentHeaders.includes(name)))
    try {
      const response = await send(String(input), headers, String(init?.body))
      seen.status = response.status
      seen.retryAfter = response.headers.get('retry-after')
      return response
    } catch (error) {
      if (error instanceof NoResponse) seen.failure = error
      throw error
    }
  }
}
