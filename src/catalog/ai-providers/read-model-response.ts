import type { FinishReason, LanguageModelUsage } from 'ai'
import type { ProviderKind } from './ai-provider.schema.ts'
import type { ModelResponse, Usage } from './model-request.ts'

/** What the model returned, and why it stopped. */
export type Returned = { text: string; finishReason: FinishReason; usage: Usage | undefined }

/** Completes the JSON of a response that was cut. */
export type Completion = (text: string) => Promise<unknown>

export async function readModelResponse(
  { text, finishReason, usage }: Returned,
  complete: Completion,
): Promise<ModelResponse> {
  if (finishReason === 'content-filter')
    return { outcome: 'refused', reason: 'the model refused to respond', usage }
  const isCut = finishReason === 'length'
  const values = parseObject(text) ?? (isCut ? asObject(await complete(startOfObject(text))) : undefined)
  const isEmpty = values !== undefined && Object.keys(values).length === 0
  if (values !== undefined && !(isCut && isEmpty)) return { outcome: 'values', values, isCut, usage }
  const reason = isCut ? 'the response was cut before its first value' : 'the response is not a JSON object'
  return { outcome: 'unreadable', reason, usage }
}

/** Models without JSON support put the object between prose, or in a code block. */
function parseObject(text: string): Record<string, unknown> | undefined {
  return parse(text) ?? parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}

function startOfObject(text: string): string {
  return text.slice(Math.max(0, text.indexOf('{')))
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : undefined
}

/** Undefined unless both counts were reported: the library turns counts that are missing into 0. */
export function readUsage(
  kind: ProviderKind,
  { inputTokens, outputTokens, raw }: Pick<LanguageModelUsage, 'inputTokens' | 'outputTokens' | 'raw'>,
): Usage | undefined {
  const reported = raw as Record<string, unknown> | undefined
  if (kind === 'openai-compatible')
    return asUsage(reported?.['prompt_tokens'], reported?.['completion_tokens'])
  const isPartial =
    kind === 'google' &&
    (reported?.['promptTokenCount'] == null ||
      (reported['candidatesTokenCount'] ?? reported['thoughtsTokenCount']) == null)
  return isPartial ? undefined : asUsage(inputTokens, outputTokens)
}

/** More than any call has. The cost of larger numbers might not fit into the columns for amounts, so that no call could end. */
const mostTokens = 100_000_000

function asUsage(input: unknown, output: unknown): Usage | undefined {
  if (!isCount(input) || !isCount(output)) return undefined
  return { input: Math.min(input, mostTokens), output: Math.min(output, mostTokens) }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
