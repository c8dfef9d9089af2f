import { expect, test } from 'vitest'
import { pageEnvelope, readPage, requestUrl } from './page-envelope.ts'

const request = (url: string, baseUrl: string | undefined = 'https://shop.example') =>
  ({ url, server: { baseUrl }, protocol: 'http', host: 'localhost:1' }) as never
const linksOf = (url: string, number: number | 'last', count: number) => {
  const { next, previous } = pageEnvelope(request(url), { number, size: 10 }, { count, results: [] })
  return [previous, next]
}

test('a page is a number from 1, or the last; a size over 500 is 500', () => {
  expect(readPage({})).toEqual({ number: 1, size: 20 })
  expect(readPage({ page: '3', page_size: 500 })).toEqual({ number: 3, size: 500 })
  expect(readPage({ page: 'last', page_size: 501 })).toEqual({ number: 'last', size: 500 })
  for (const page of ['0', '-1', '1.5', 'x', '', '1e3', '9007199254740991'])
    expect(() => readPage({ page }), page).toThrow('page')
  const furthest = Math.floor(Number.MAX_SAFE_INTEGER / 20)
  expect(readPage({ page: String(furthest) }).number).toBe(furthest)
  expect(readPage({ page: '9007199254740991', page_size: 1 }).number).toBe(Number.MAX_SAFE_INTEGER)
})

test('links point to adjacent pages, never before the first or after the last', () => {
  const at = (page: string) => `https://shop.example/v2/products${page}`
  expect(linksOf('/v2/products', 1, 10)).toEqual([null, null])
  expect(linksOf('/v2/products', 1, 0)).toEqual([null, null])
  expect(linksOf('/v2/products', 1, 11)).toEqual([null, at('?page=2')])
  expect(linksOf('/v2/products?page=2', 2, 30)).toEqual([at(''), at('?page=3')])
  expect(linksOf('/v2/products?page=3', 3, 30)).toEqual([at('?page=2'), null])
  expect(linksOf('/v2/products?page=last', 'last', 25)).toEqual([at('?page=2'), null])
  expect(linksOf('/v2/products?page=last', 'last', 0)).toEqual([null, null])
  const missing = { problemCode: 'invalid_page', message: 'Page 4 does not exist. The last page is 3.' }
  expect(() => linksOf('/v2/products?page=4', 4, 30)).toThrow(expect.objectContaining(missing))
})

test('a link keeps the other parameters, sorted, each pair once', () => {
  expect(
    linksOf('/v2/products?status=active&page=2&a%5Bb%5D=c+d&status=active&status=pending', 2, 30),
  ).toEqual([
    'https://shop.example/v2/products?a%5Bb%5D=c+d&status=active&status=pending',
    'https://shop.example/v2/products?a%5Bb%5D=c+d&page=3&status=active&status=pending',
  ])
})

test('pairs that only look alike when they are put together are both kept', () => {
  expect(linksOf('/v2/products?ab=c&a=bc', 1, 30)[1]).toContain('?a=bc&ab=c&page=2')
})

test("an address is the request's own, without query and slash, at the address that clients use", () => {
  expect(requestUrl(request('/v2/products/?a=/?b/'))).toBe('https://shop.example/v2/products')
  const local = { url: '/v2/products', server: {}, protocol: 'http', host: 'localhost:1' }
  expect(requestUrl(local as never)).toBe('http://localhost:1/v2/products')
})
