import type { LookupFunction } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Behavior } from '../../../test/sample-model/behaviors.ts'
import { type SampleModel, startSampleModel } from '../../../test/sample-model/sample-model.ts'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { type ModelRequest, type ModelResponse, openModels, requestBytes, type Usage } from './call-model.ts'
import type { OpenProvider } from './open-provider.ts'

const key = 'sk-do-not-show-this-key'
const schema = {
  type: 'object',
  properties: {
    description: { type: ['string', 'null'] },
    color: { type: ['string', 'null'], enum: ['red', 'blue', null] },
  },
  required: ['description', 'color'],
  additionalProperties: false,
}

let sample: SampleModel
beforeAll(async () => {
  sample = await startSampleModel()
  whenFileEnds(sample.close)
})

function providerAt(base_url: string, changes: Partial<OpenProvider> = {}): OpenProvider {
  return {
    ...{ name: 'own', kind: 'openai-compatible', base_url, key, currency: 'EUR', models: [], concurrency: 4 },
    ...{ requests_per_minute: null, monthly_budget: null, findings: null, isOffered: false, cap: null },
    ...changes,
  }
}

function requestFor(model: string, signal = new AbortController().signal): ModelRequest {
  const user = 'Describe the product.\nname: Lamp Grün'
  return { model, system: 'You write product text.', user, schema, maxOutputTokens: 500, signal }
}

function models(limits = {}) {
  const opened = openModels({ allow: [sample.origin], ...limits })
  whenFileEnds(opened.close)
  return opened
}

const call = (behavior: Behavior, limits = {}): Promise<ModelResponse> =>
  models(limits).call(
    providerAt(sample.url),
    requestFor(behavior === 'values' ? 'sample' : `sample-${behavior}`),
  )

describe('a call', () => {
  test('sends the schema and the key once, and returns the values and the usage', async () => {
    const before = sample.calls.length
    const response = await call('values')
    expect(response).toEqual({
      outcome: 'values',
      values: {
        description: expect.stringContaining('Lamp Grün'),
        color: expect.stringMatching(/^(red|blue)$/),
      },
      isCut: false,
      usage: { input: expect.any(Number), output: expect.any(Number) },
    })
    const [sent, ...others] = sample.calls.slice(before)
    expect(others).toEqual([])
    expect(sent).toMatchObject({ model: 'sample', format: 'json_schema', schema })
    expect(sent?.headers).toMatchObject({ authorization: `Bearer ${key}`, connection: 'close' })
    expect(sent?.headers['user-agent']).toMatch(/^catalog-service\/[\d.]+$/)
  })

  const expected: [Behavior, object][] = [
    ['429', { outcome: 'rate_limited', reason: 'HTTP 429', retryAfterMilliseconds: 1000 }],
    ['500', { outcome: 'failed', reason: 'HTTP 500' }],
    ['schema-refused', { outcome: 'failed', reason: 'HTTP 400' }],
    ['cut', { outcome: 'failed', reason: 'the connection failed' }],
    ['redirect', { outcome: 'failed', reason: expect.stringContaining('redirects') }],
    ['huge', { outcome: 'failed', reason: 'the response is too large' }],
    ['prose', { outcome: 'unreadable', reason: 'the response is not a JSON object' }],
    ['refusal', { outcome: 'refused', reason: 'the model refused to respond' }],
    ['wrong-enum', { outcome: 'values', values: { color: 'not one of the choices' } }],
    ['null', { outcome: 'values', values: { description: null, color: null } }],
    ['no-usage', { outcome: 'values', usage: undefined }],
    ['length', { outcome: 'values', isCut: true, values: { description: expect.any(String) } }],
  ]
  test.each(expected)(
    'to a provider that scripts %s reports it, with one request and without the key',
    async (behavior, response) => {
      const before = sample.calls.length
      const received = await call(behavior)
      expect(received).toMatchObject(response)
      expect(sample.calls.length - before).toBe(1)
      expect(JSON.stringify(received)).not.toContain(key)
      expect(JSON.stringify(received)).not.toContain('scripted failure')
    },
  )

  test.each(['prose', 'refusal', 'length'] as const)(
    'that ends with %s still reports its usage',
    async (behavior) => {
      const { input, output } = (await call(behavior)).usage as Usage
      expect([input > 0, output > 0]).toEqual([true, true])
    },
  )

  test('ends at its time limit if the provider does not respond, and when its signal aborts', async () => {
    expect(await call('hang', { milliseconds: 100 })).toMatchObject({ outcome: 'timed_out' })
    const stop = new AbortController()
    const stopped = models().call(providerAt(sample.url), requestFor('sample-hang', stop.signal))
    setTimeout(() => stop.abort(), 50)
    expect(await stopped).toEqual({ outcome: 'failed', reason: 'the call was stopped', usage: undefined })
  })
})

describe('the way JSON is requested', () => {
  const findings = { json_schema: false, json_object: true, plain: true, usage: true }

  test.each([
    ['schema-refused', { ...findings }, 'json_object'],
    ['format-refused', { ...findings, json_object: false }, 'plain'],
  ] as const)('follows the findings of a test: %s', async (behavior, found, format) => {
    const tested = [{ name: `sample-${behavior}`, ...found }]
    const provider = providerAt(sample.url, { findings: { reachable: true, ...found, models: tested } })
    const response = await models().call(provider, requestFor(`sample-${behavior}`))
    expect(response).toMatchObject({ outcome: 'values', values: { color: expect.any(String) } })
    expect(sample.calls.at(-1)).toMatchObject({ format, schema })
  })
})

describe('every kind of provider', () => {
  const headers = { 'openai-compatible': 'authorization', anthropic: 'x-api-key', google: 'x-goog-api-key' }

  test.each(['openai-compatible', 'anthropic', 'google'] as const)(
    '%s: the size of a request is exact, and the key is in its own header only',
    async (kind) => {
      const provider = providerAt(sample.url, { kind })
      const before = sample.calls.length
      const bytes = await requestBytes(provider, requestFor('sample'))
      expect(sample.calls.length).toBe(before)
      const response = await models().call(provider, requestFor('sample'))
      expect(response).toMatchObject({ outcome: 'values', usage: { input: expect.any(Number) } })
      const sent = sample.calls.at(-1)
      expect(Buffer.byteLength(sent?.body ?? '')).toBe(bytes)
      expect(sent?.headers[headers[kind]]).toContain(key)
      expect(sent?.body).not.toContain(key)
    },
  )

  test.each(['anthropic', 'google'] as const)(
    '%s: a refusal is a refusal, and a cut response is cut',
    async (kind) => {
      const ask = (model: string) => models().call(providerAt(sample.url, { kind }), requestFor(model))
      expect((await ask('sample-refusal')).outcome).toBe('refused')
      expect(await ask('sample-length')).toMatchObject({ outcome: 'values', isCut: true })
      expect((await ask('sample-429')).outcome).toBe('rate_limited')
    },
  )

  test('a provider without a key gets none, also if the environment has one', async () => {
    process.env['ANTHROPIC_API_KEY'] = 'sk-of-the-operator'
    process.env['GOOGLE_GENERATIVE_AI_API_KEY'] = 'sk-of-the-operator'
    whenFileEnds(() => {
      delete process.env['ANTHROPIC_API_KEY']
      delete process.env['GOOGLE_GENERATIVE_AI_API_KEY']
    })
    for (const kind of ['openai-compatible', 'anthropic', 'google'] as const) {
      await models().call(providerAt(sample.url, { kind, key: null }), requestFor('sample'))
      expect(JSON.stringify(sample.calls.at(-1)?.headers), kind).not.toContain('sk-of-the-operator')
    }
    expect(sample.calls.at(-3)?.headers).not.toHaveProperty('authorization')
  })
})

const toThisMachine: LookupFunction = (_name, { all }, found) =>
  all === true ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4)

test('the memory for responses of a project is bounded, and free again after each call', async () => {
  const opened = models()
  const request = { ...requestFor('sample-huge'), project: 1 }
  const calls = Array.from({ length: 20 }, () => opened.call(providerAt(sample.url), request))
  const reasons = (await Promise.all(calls)).map((response) => 'reason' in response && response.reason)
  expect(new Set(reasons)).toEqual(new Set(['the response is too large']))
})

describe('an address that the operator does not allow', () => {
  const askAt = async (url: string, limits = {}) => {
    const before = sample.calls.length
    const other = openModels({ allow: ['http://127.0.0.1:1'], ...limits })
    whenFileEnds(other.close)
    const response = await other.call(providerAt(url), requestFor('sample'))
    expect(sample.calls.length).toBe(before)
    return response
  }

  test.each(['http://127.0.0.1', 'http://localhost', 'https://127.0.0.1'])(
    'is refused when the service connects: %s',
    async (origin) => {
      const { port } = new URL(sample.origin)
      expect(await askAt(`${origin}:${port}/v1`)).toMatchObject({
        outcome: 'failed',
        reason: expect.stringContaining('--ai-allow'),
      })
    },
  )

  test('nothing public is called if the self-test finds that private networks would not be blocked', async () => {
    const response = await askAt('https://models.example/v1', { selfTestAllows: ['127.0.0.0/8'] })
    expect(response).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('calls are off') })
  })

  test('a self-test that failed is repeated, so that calls work again without a restart', async () => {
    const selfTestAllows = ['127.0.0.0/8']
    const other = openModels({ allow: [], selfTestAllows, lookup: toThisMachine })
    whenFileEnds(other.close)
    const ask = () => other.call(providerAt('https://models.example/v1'), requestFor('sample'))
    expect(await ask()).toMatchObject({ reason: expect.stringContaining('calls are off') })
    selfTestAllows[0] = '192.0.2.0/24'
    expect(await ask()).toMatchObject({ reason: expect.stringContaining('private network') })
  })

  test('is refused too if a public name resolves to it later', async () => {
    const { port } = new URL(sample.origin)
    const response = await askAt(`https://models.example:${port}/v1`, { lookup: toThisMachine })
    expect(response).toMatchObject({ reason: expect.stringContaining('private network') })
  })
})
