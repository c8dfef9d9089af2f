import { beforeAll, describe, expect, inject, test } from 'vitest'
import {
  startTestService,
  type Tenant,
  type TestResponse,
  type TestService,
} from '../../../../test/harness.ts'
import { memoryBudget } from '../limits/memory-budget.ts'

const kibibyte = 1024
const maxBytes = 256 * kibibyte

let service: TestService
let shop: Tenant
beforeAll(async () => {
  const usual = memoryBudget()
  const memory = {
    ...usual,
    responses: { ...usual.responses, largestPage: 2 * maxBytes },
    pages: { ...usual.pages, usualBytes: 64 * kibibyte, maxBytes },
  }
  service = await startTestService({}, inject('connection'), { memory })
  shop = await service.tenant()
  const body = Array.from({ length: 30 }, (_, index) => ({
    sku: `P-${String(index).padStart(2, '0')}`,
    name: `Product ${index}`,
    price: index,
    // Compresses well, so the stored size is far below the response size.
    ...(index % 3 === 0 ? { attributes: { long: 'x'.repeat(9_000) } } : { description: 'x'.repeat(80_000) }),
  }))
  await shop.call('/v2/products/bulk', { method: 'POST', body })
})

function ids({ body }: TestResponse): number[] {
  return body.results.map(({ id }: { id: number }) => id)
}

/** The parameters that the error suggests. */
function instead({ status, body }: TestResponse): string {
  expect([status, body.code]).toEqual([400, 'page_too_large'])
  const [, parameters] = /Request (page_size=\d+&page=\d+),/.exec(body.detail) ?? []
  expect(body.errors).toMatchObject([
    { parameter: 'page_size', code: 'too_large', message: expect.stringContaining(parameters ?? 'nothing') },
  ])
  return parameters ?? ''
}

const ways = ['', '&ordering=-id', '&ordering=-price', '&search=product', '&price__gte=0', '&status=pending']

describe('fault 27: a page of details over the size limit', () => {
  test.each(ways)('is rejected with a suggestion of pages with the same products (%s)', async (way) => {
    const whole = await shop.call(`/v2/products?page_size=30${way}`)
    const seen: number[] = []
    for (const page of [1, 2, 'last']) {
      const refused = await shop.call(`/v2/products?expand=detail&page_size=10&page=${page}${way}`)
      let path: string | null = `/v2/products?expand=detail&${instead(refused)}${way}`
      for (const end = seen.length + 10; seen.length < end; ) {
        const answer: TestResponse = await shop.call(path as string)
        expect([answer.status, answer.body.count]).toEqual([200, 30])
        expect(answer.text.length).toBeLessThan(maxBytes + 10 * 2_500)
        seen.push(...ids(answer))
        path = answer.body.next?.slice(service.url.length)
      }
    }
    expect(seen).toEqual(ids(whole))
  })

  test('leaves list items, pages that fit, and pages that do not exist as they are', async () => {
    expect((await shop.call('/v2/products?page_size=30')).body.results).toHaveLength(30)
    const one = await shop.call('/v2/products?expand=detail&page_size=1&page=2')
    expect([one.status, one.body.count, one.body.results[0].description.length]).toEqual([200, 30, 80_000])
    const two = await shop.call('/v2/products?expand=detail&page_size=3&page=last')
    expect([two.status, two.body.results.length, two.body.next]).toEqual([200, 3, null])
    expect((await shop.call('/v2/products?expand=detail&page_size=10&page=4')).body.code).toBe('invalid_page')
    expect((await shop.call('/v2/products?expand=detail&sku=none')).body.results).toEqual([])
  })

  test('counts the escapes that JSON needs', async () => {
    const odd = await service.tenant()
    const body = Array.from({ length: 2 }, (_, index) => ({
      sku: `ODD-${index}`,
      name: 'Odd',
      description: '\u0001'.repeat(60_000),
    }))
    await odd.call('/v2/products/bulk', { method: 'POST', body })
    const { status, body: refused } = await odd.call('/v2/products?expand=detail')
    expect([status, refused.code]).toEqual([400, 'page_too_large'])
    expect((await odd.call('/v2/products?expand=detail&page_size=1')).status).toBe(200)
  })
})

describe('fault 27: a history over the size limit', () => {
  test('is rejected with a suggestion of pages with the same changes', async () => {
    const { body: product } = await shop.call('/v2/products/by-sku/P-01')
    for (const letter of 'abcdef')
      await shop.call(`/v2/products/${product.id}`, {
        method: 'PATCH',
        body: { description: letter.repeat(80_000) },
      })
    const refused = await shop.call(`/v2/products/${product.id}/history?page_size=6`)
    const { body } = await shop.call(`/v2/products/${product.id}/history?${instead(refused)}`)
    expect(body).toMatchObject({ count: 7, previous: null, results: [{ version: 7 }] })
    const last = await shop.call(`/v2/products/${product.id}/history?page_size=6&page=last`)
    expect(last.body.results).toMatchObject([{ version: 1 }])
  })
})

describe('fault 27: a page of prompts over the size limit', () => {
  test('is rejected with a suggestion of pages with the same prompts', async () => {
    const prompt_text = Array.from({ length: 4_000 }, (_, index) => `{{variable_${index}}}`).join('')
    for (const name of 'abcdefgh')
      await shop.call('/v2/prompts', { method: 'POST', body: { name, prompt_text } })
    const refused = await shop.call('/v2/prompts?page_size=8')
    const { body } = await shop.call(`/v2/prompts?${instead(refused)}`)
    expect([body.count, body.previous, body.results[0].name]).toEqual([8, null, 'a'])
    expect(body.results.length).toBeGreaterThan(1)
  })
})
