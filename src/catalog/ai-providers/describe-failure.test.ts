import { expect, test } from 'vitest'
import { describeFailure } from './describe-failure.ts'
import { loadLibraries } from './model-libraries.ts'
import type { OpenProvider } from './open-provider.ts'

test.each([
  [400, { outcome: 'failed', isUnprocessed: true }],
  [408, { outcome: 'failed', isUnprocessed: false }],
  [429, { outcome: 'rate_limited' }],
  [500, { outcome: 'failed', isUnprocessed: false }],
  [529, { outcome: 'rate_limited' }],
])(
  'status %i costs nothing only if the provider cannot have processed the request',
  async (status, outcome) => {
    const provider = { kind: 'openai-compatible' } as OpenProvider
    const described = await describeFailure(await loadLibraries(), provider, { status }, new Error('failed'))
    expect(described).toMatchObject({ ...outcome, reason: `HTTP ${status}`, usage: undefined })
  },
)
