import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant } from '../../../../test/harness.ts'

let shop: Tenant
beforeAll(async () => {
  const service = await sharedTestService()
  shop = await service.tenant()
  const body = [
    { sku: 'A-1', name: 'Wall hook', description: 'Holds a heavy lamp on the wall, and nothing else.' },
    { sku: 'A-2', name: 'Headlamp' },
    { sku: 'XLAMP-3', name: 'Torch' },
    { sku: 'LAMPS-4', name: 'Lantern' },
    { sku: 'A-5', name: 'Lampshade, linen' },
    { sku: 'LAMP-6', name: 'Light' },
    { sku: 'A-7', name: 'Desk lamp, brass' },
    { sku: 'A-8', name: 'Lamp' },
    { sku: 'A-9', name: 'Städtische Straßenlaterne – größer' },
    { sku: 'A-10', name: 'T-shirt (red), 100% cotton' },
    { sku: 'A-11', name: 'Oil lantern 4 l' },
    { sku: 'A-12', name: 'Oil lantern 5 l' },
  ]
  const { body: pushed } = await shop.call('/v2/products/bulk', { method: 'POST', body })
  expect(pushed.summary).toMatchObject({ created: body.length })
})

async function list(query: string, path = '/v2/products') {
  const { status, body } = await shop.call(`${path}?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const skus = async (query: string): Promise<string[]> =>
  (await list(query)).results.map(({ sku }: { sku: string }) => sku)

describe('ordering=relevance', () => {
  test('whole words come before beginnings and parts of words, and names before SKUs', async () => {
    expect(await skus('search=LAMP&ordering=relevance')).toEqual([
      'A-8',
      'A-7',
      'LAMP-6',
      'A-5',
      'LAMPS-4',
      'A-2',
      'XLAMP-3',
    ])
  })

  test('descriptions come after names and SKUs that match in the same way', async () => {
    const found = await skus('search=lamp&search_in=all&ordering=relevance')
    expect(found.slice(0, 5)).toEqual(['A-8', 'A-7', 'LAMP-6', 'A-1', 'A-5'])
  })

  test('pages of a search by relevance contain each product once, and details have the same order', async () => {
    const all = await skus('search=lamp&ordering=relevance')
    const pages = await Promise.all(
      [1, 2, 3, 'last'].map((page) => skus(`search=lamp&ordering=relevance&page_size=2&page=${page}`)),
    )
    expect(pages.slice(0, 3).flat()).toEqual(all.slice(0, 6))
    expect(pages[3]).toEqual(all.slice(6))
    expect(await skus('search=lamp&ordering=relevance&expand=detail')).toEqual(all)
  })

  test.each([
    ['ordering=relevance', 'ordering', /relevance requires search/],
    ['ordering=-relevance&search=lamp', 'ordering', /cannot combine relevance/],
    ['ordering=relevance,price&search=lamp', 'ordering', /cannot combine relevance/],
    ['match=close', 'match', /requires search/],
    ['match=fuzzy&search=lamp', 'match', /must be one of exact, close/],
    ['expand=match', 'expand', /match requires search/],
    ['expand=all&search=lamp', 'expand', /must be one of detail, match/],
    [
      `search=${Array.from({ length: 17 }, (_, n) => `word${n}`).join('%20')}&match=close`,
      'search',
      /at most 16/,
    ],
  ])('%s is rejected with a reason', async (query, parameter, message) => {
    const { status, body } = await shop.call(`/v2/products?${query}`)
    expect([status, body.errors[0].parameter]).toEqual([400, parameter])
    expect(body.errors[0].message).toMatch(message)
  })
})

describe('match=close', () => {
  test.each([
    ['a missing letter', 'lmp', 'A-8'],
    ['an added letter', 'lammp', 'A-8'],
    ['a wrong letter', 'lomp', 'A-8'],
    ['two swapped letters', 'lmap', 'A-8'],
    ['a wrong first letter', 'kamp', 'A-8'],
    ['a missing last letter of a long word', 'lampshad', 'A-5'],
    ['a typo before punctuation', 'lampshdae,', 'A-5'],
    ['a missing space', 'desklamp brass', 'A-7'],
    ['an added space', 'lamp shade linen', 'A-5'],
    ['a missing hyphen', 'tshirt', 'A-10'],
    ['letters with accents', 'städtishce', 'A-9'],
    ['a typo in a SKU', 'xlapm-3', 'XLAMP-3'],
    ['a typo in every word', 'dsek lapm brss', 'A-7'],
  ])('finds %s', async (_what, search, sku) => {
    expect(await skus(`search=${encodeURIComponent(search)}&match=close`)).toContain(sku)
  })

  test('finds everything that an exact search finds, and sorts it first', async () => {
    const exact = await skus('search=lamp&ordering=relevance')
    const close = await skus('search=lamp&match=close')
    expect(close.slice(0, exact.length)).toEqual(exact)
    expect(await skus('search=lamp&match=exact')).toEqual(await skus('search=lamp'))
  })

  test('two typos in one word are too many', async () => {
    expect(await skus('search=xxmp&match=close')).toEqual([])
  })

  test('a short word affects only the order, unless all words are short', async () => {
    expect(await skus('search=lanternn%205%20l&match=close')).toEqual(['A-12', 'A-11', 'LAMPS-4'])
    expect(await skus('search=5%20l&match=close')).toEqual(await skus('search=5%20l&ordering=relevance'))
  })

  test('special characters of patterns have no special meaning', async () => {
    for (const search of ['(.*)', 'a|b', '[x]', '\\', '$^', '100%', 'a{2}', '***:zebra', '...']) {
      const query = `search=${encodeURIComponent(search)}`
      const close = await skus(`${query}&match=close`)
      expect(close, search).toEqual(expect.arrayContaining(await skus(query)))
      expect(close.length, search).toBeLessThan(5)
    }
  })

  test('can be sorted and combined with filters like any search', async () => {
    expect(await skus('search=lmap&match=close&ordering=-id')).toEqual(['A-8', 'A-7', 'LAMP-6'])
    expect(await skus('search=lmap&match=close&sku=A-7')).toEqual(['A-7'])
  })

  test('facets, exports and proposals select the same products as the list', async () => {
    const query = 'search=lmap&match=close'
    const { count } = await list(query)
    expect(count).toBe(3)
    expect(await list(`${query}&facets=color`, '/v2/products/facets')).toMatchObject({ count })
    const file = await shop.call(`/v2/products/export?${query}`)
    expect(file.text.trim().split('\n')).toHaveLength(count)
    const body = { filter: query, edits: [{ op: 'set', field: 'price', value: 5 }] }
    const proposed = await shop.call('/v2/proposals/from-filter', { method: 'POST', body })
    const lines = async () => (await list('', `/v2/proposals/${proposed.body.id}/lines`)).count
    await expect.poll(lines).toBe(count)
    const alone = await shop.call('/v2/products/facets?facets=color&match=close')
    expect([alone.status, alone.body.errors[0].parameter]).toEqual([400, 'match'])
  })
})

describe('expand=match', () => {
  const matches = async (query: string) =>
    (await list(query)).results.map(({ sku, match }: { sku: string; match: object }) => [sku, match])

  test('says which word of which field matches, and how', async () => {
    expect(await matches('search=lamp&ordering=relevance&expand=match')).toEqual([
      ['A-8', { field: 'name', kind: 'word', term: 'lamp', text: 'Lamp' }],
      ['A-7', { field: 'name', kind: 'word', term: 'lamp', text: 'lamp' }],
      ['LAMP-6', { field: 'sku', kind: 'word', term: 'lamp', text: 'LAMP' }],
      ['A-5', { field: 'name', kind: 'beginning', term: 'lamp', text: 'Lampshade' }],
      ['LAMPS-4', { field: 'sku', kind: 'beginning', term: 'lamp', text: 'LAMPS' }],
      ['A-2', { field: 'name', kind: 'part', term: 'lamp', text: 'Headlamp' }],
      ['XLAMP-3', { field: 'sku', kind: 'part', term: 'lamp', text: 'XLAMP' }],
    ])
  })

  test('shows the word that matches least, as the product writes it', async () => {
    expect(await matches('search=desk%20brsas&match=close&expand=match')).toEqual([
      ['A-7', { field: 'name', kind: 'close', term: 'brsas', text: 'brass' }],
    ])
    expect(await matches('search=strasenlaterne&match=close&expand=match')).toEqual([
      ['A-9', { field: 'name', kind: 'close', term: 'strasenlaterne', text: 'Straßenlaterne' }],
    ])
    expect(await matches('search=straßenlatern&match=close&expand=match')).toEqual([
      ['A-9', { field: 'name', kind: 'beginning', term: 'straßenlatern', text: 'Straßenlaterne' }],
    ])
  })

  test('shows the words around a match in a description', async () => {
    expect(await matches('search=heavy&search_in=all&expand=match')).toEqual([
      [
        'A-1',
        {
          field: 'description',
          kind: 'word',
          term: 'heavy',
          text: 'Holds a heavy lamp on the wall, and nothing else.',
        },
      ],
    ])
  })

  test('comes with details, in either order, and the same match', async () => {
    const [plain] = await matches('search=heavy&search_in=all&expand=match')
    for (const expand of ['detail,match', 'match,detail']) {
      const { results } = await list(`search=heavy&search_in=all&expand=${expand}`)
      expect(results[0]).toMatchObject({ version: 1, match: plain[1] })
    }
    expect((await list('search=heavy&search_in=all&expand=detail')).results[0]).not.toHaveProperty('match')
  })
})
