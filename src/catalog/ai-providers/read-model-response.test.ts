import { expect, test } from 'vitest'
import { readUsage } from './read-model-response.ts'

const none = { inputTokens: 0, outputTokens: 0 }
const google = (raw: object) => readUsage('google', { inputTokens: 7, outputTokens: 3, raw } as never)

test('usage with a missing count is no usage, whatever the library makes of it', () => {
  expect(readUsage('openai-compatible', { ...none, raw: { prompt_tokens: 7 } })).toBe(undefined)
  expect(google({})).toBe(undefined)
  expect(google({ promptTokenCount: 7 })).toBe(undefined)
  expect(google({ candidatesTokenCount: 3 })).toBe(undefined)
  expect(google({ promptTokenCount: 7, thoughtsTokenCount: 3 })).toEqual({ input: 7, output: 3 })
  expect(google({ promptTokenCount: 7, candidatesTokenCount: 3 })).toEqual({ input: 7, output: 3 })
})

test('the highest usage that a provider can report has a cost that can be stored', () => {
  const most = Number.MAX_SAFE_INTEGER
  const raw = { prompt_tokens: most, completion_tokens: most }
  expect(readUsage('openai-compatible', { ...none, raw })).toEqual({
    input: 100_000_000,
    output: 100_000_000,
  })
})
