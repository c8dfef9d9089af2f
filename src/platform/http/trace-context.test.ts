import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type TestService } from '../../../test/harness.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'
let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

const answeredTo = async (traceparent: string, path = '/healthz') =>
  (await service.call(path, { headers: { traceparent } })).headers.get('traceparent')

describe('a request with a traceparent gets its trace and a new span ID', () => {
  test.each([
    ['recorded', `00-${traceId}-${parentId}-01`, '01'],
    ['not recorded', `00-${traceId}-${parentId}-00`, '00'],
    ['with flags that mean nothing yet', `00-${traceId}-${parentId}-ff`, '03'],
    ['of a later version', `cc-${traceId}-${parentId}-01-what-the-future-holds`, '01'],
  ])('%s', async (_kind, sent, flags) => {
    const [first, second] = [await answeredTo(sent), await answeredTo(sent)]
    for (const response of [first, second])
      expect(response).toMatch(new RegExp(`^00-${traceId}-(?!${parentId}|0{16})[0-9a-f]{16}-${flags}$`))
    expect(first).not.toBe(second)
  })

  test.each(['/v2/products', '/v2/nothing', '/docs', '/v2/products/%E0%A4%A'])('also by %s', async (path) => {
    expect(await answeredTo(`00-${traceId}-${parentId}-01`, path)).toContain(traceId)
  })
})

describe('what is no traceparent is left alone, and so is its absence', () => {
  test.each([
    ['empty', ''],
    ['a word', 'yes'],
    ['in capitals', `00-${traceId.toUpperCase()}-${parentId}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${parentId}-01`],
    ['a parent of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['the version that is none', `ff-${traceId}-${parentId}-01`],
    ['more than version 00 has', `00-${traceId}-${parentId}-01-more`],
    ['without flags', `00-${traceId}-${parentId}`],
    ['sent twice', `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`],
    ['a very long one', `cc-${traceId}-${parentId}-01${'x'.repeat(8_000)}`],
  ])('%s', async (_kind, sent) => {
    expect(await answeredTo(sent)).toBeNull()
  })

  test('absent', async () => {
    expect((await service.call('/healthz')).headers.get('traceparent')).toBeNull()
  })
})
