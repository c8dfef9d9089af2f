import { beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { memoryBudget } from '../limits/memory-budget.ts'

const mebibyte = 1024 * 1024
let service: TestService
let shop: Tenant

// A project has room for 2.5 MiB of responses to writes.
beforeAll(async () => {
  const usual = memoryBudget()
  const responses = { ...usual.responses, total: 5 * mebibyte, perProject: 5 * mebibyte }
  service = await startTestService({}, inject('connection'), { memory: { ...usual, responses } })
  shop = await service.tenant()
})

/** A push whose results are larger than that, and which writes one product. */
const push = (sku: string, query = '') => {
  const wrong = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`unknown_${index}`, 1]))
  const lines = Array.from({ length: 1_200 }, (_, index) => ({ sku: `${sku}-${index}`, ...wrong }))
  return shop.call(`/v2/products/bulk${query}`, { method: 'POST', body: [{ sku, name: 'Good' }, ...lines] })
}
const exists = async (sku: string) => (await shop.call(`/v2/products/by-sku/${sku}`)).status === 200

describe('a response that finds no room', () => {
  test('acknowledges what was written without a body, so that no client writes again', {
    tags: 'slow',
  }, async () => {
    const { status, text, headers } = await push('WRITTEN')
    expect([status, text, headers.get('catalog-response')]).toEqual([204, '', 'dropped'])
    expect(await exists('WRITTEN')).toBe(true)
  })

  test.each(['?dry_run=true', '?on_error=abort'])(
    'is refused where nothing was written: %s',
    { tags: 'slow' },
    async (query) => {
      const { status, body, headers } = await push('REFUSED', query)
      expect([status, body.code]).toEqual([503, 'too_busy'])
      expect(headers.get('retry-after')).toBe('5')
      expect(await exists('REFUSED')).toBe(false)
    },
  )

  test('of writes at the same time is never too_busy for one that was done', { tags: 'slow' }, async () => {
    const skus = Array.from({ length: 6 }, (_, index) => `LARGE-${index}`)
    const names = Array.from({ length: 190 }, (_, index) => `attribute ${index}`)
    const attributes = Object.fromEntries(names.map((name) => [name, 'x'.repeat(4_800)]))
    const create = async (sku: string) => ({
      sku,
      ...(await shop.call('/v2/products', { method: 'POST', body: { sku, name: 'Large', attributes } })),
    })
    for (const { sku, status, headers } of await Promise.all(skus.map(create))) {
      expect([status, await exists(sku)]).toEqual([status, status !== 503])
      if (status !== 503) expect(headers.get('location')).toMatch(/\/products\/\d+$/)
      if (status !== 503) expect(headers.get('etag')).toMatch(/^"1-/)
    }
  })
})
