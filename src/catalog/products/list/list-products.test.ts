import { beforeAll, describe, expect, test } from 'vitest'
import {
  sharedTestService,
  startTestService,
  type Tenant,
  type TestService,
} from '../../../../test/harness.ts'

let service: TestService
let proxied: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  proxied = await startTestService({ baseUrl: 'https://catalog.example' })
  shop = await service.tenant()
  const body = Array.from({ length: 45 }, (_, before) => before + 1).map((index) => ({
    sku: `P-${String(index).padStart(3, '0')}`,
    name: `Product ${46 - index}`,
    price: index % 5 === 0 ? null : index,
    status: ['active', 'inactive', 'pending', 'archived'][index % 4],
    product_type: ['simple', 'configurable', 'virtual', 'bundle', 'grouped'][index % 5],
    categories: index % 3 === 0 ? [{ name: 'Thirds' }] : [],
  }))
  await shop.call('/v2/products/bulk', { method: 'POST', body })
})

const skus = (body: { results: { sku: string }[] }) => body.results.map(({ sku }) => sku)

describe('the envelope and its pages', () => {
  test('the first page has 20 items with exactly the specified fields, ordered by ID, and the exact count', async () => {
    const { status, body } = await shop.call('/api/products')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['count', 'next', 'previous', 'results'])
    expect(body.count).toBe(45)
    expect(body.previous).toBeNull()
    expect(body.results).toHaveLength(20)
    expect(Object.keys(body.results[0])).toEqual([
      'id',
      'sku',
      'name',
      'status',
      'product_type',
      'created_at',
      'project',
    ])
    expect(body.results[0].created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(body.results[0].project).toBe(shop.project)
    expect(skus(body)[0]).toBe('P-001')
  })

  test.each(['/api', '/v2'])(
    'following next under %s returns every product once and preserves prefix and filters',
    async (prefix) => {
      const seen: string[] = []
      let address: string | null = `${prefix}/products?status=active&page_size=4`
      while (address !== null) {
        const { body } = await shop.call(address)
        seen.push(...skus(body))
        if (body.next !== null) expect(body.next).toMatch(`${service.url}${prefix}/products?page=`)
        address = body.next?.slice(service.url.length) ?? null
      }
      expect(seen).toEqual([...new Set(seen)])
      expect(seen).toHaveLength(11)
    },
  )

  test('links have sorted keys, and a link to page 1 omits the page', async () => {
    const { body } = await shop.call('/api/products?status=active&page=2&page_size=5')
    expect(body.next).toBe(`${service.url}/api/products?page=3&page_size=5&status=active`)
    expect(body.previous).toBe(`${service.url}/api/products?page_size=5&status=active`)
  })

  test('page=last is the last page', async () => {
    const { body } = await shop.call('/api/products?page=last')
    expect(skus(body)).toEqual(['P-041', 'P-042', 'P-043', 'P-044', 'P-045'])
    expect(body.next).toBeNull()
    expect(body.previous).toBe(`${service.url}/api/products?page=2`)
  })

  test.each(['0', 'abc', '4', '-1', '1e3', '', '99999999999999999999', '9007199254740991', '%201'])(
    'fault 15: page=%s does not exist: 404',
    async (page) => {
      const { status, body } = await shop.call(`/api/products?page=${page}`)
      expect([status, body.code]).toEqual([404, 'invalid_page'])
    },
  )

  test('an empty first page returns 200', async () => {
    const empty = await service.tenant()
    for (const page of ['', '?page=1', '?page=last']) {
      const { status, body } = await empty.call(`/v2/products${page}`)
      expect([status, body]).toEqual([200, { count: 0, next: null, previous: null, results: [] }])
    }
  })

  test('page_size over 500 means 500, and 0, negative numbers and text are rejected', async () => {
    expect((await shop.call('/api/products?page_size=100000')).body.results).toHaveLength(45)
    for (const size of ['0', '-1', 'ten', '1.5', '']) {
      const { status, body } = await shop.call(`/api/products?page_size=${size}`)
      expect([status, body.code, body.errors[0].parameter]).toEqual([400, 'invalid_parameters', 'page_size'])
    }
  })

  test('a configured base URL starts every link, whatever the Host header is', async () => {
    const { body } = await proxied.call('/v2/products?page_size=40', { token: shop.token })
    expect(body.next).toBe('https://catalog.example/v2/products?page=2&page_size=40')
  })

  test('a trailing slash is accepted', async () => {
    expect((await shop.call('/api/products/?page_size=1')).status).toBe(200)
  })
})

describe('filters', () => {
  test.each([
    ['status=active', 11],
    ['product_type=virtual', 9],
    ['type=virtual', 9],
    ['status=active&product_type=simple', 2],
    ['sku=P-007', 1],
    ['sku=%20P-007%20', 1],
    ['sku=p-007', 0],
    ['sku=%25', 0],
    ['sku=P-00_', 0],
    ['category=9007199254740991', 0],
  ])('%s matches %i products', async (query, count) => {
    const { status, body } = await shop.call(`/api/products?${query}`)
    expect([status, body.count]).toEqual([200, count])
    expect(body.results).toHaveLength(count)
  })

  test('a category filter returns the products of that category only', async () => {
    const { body: categories } = await shop.call('/api/categories')
    for (const name of ['category', 'category_id']) {
      const { body } = await shop.call(`/api/products?${name}=${categories.results[0].id}`)
      expect(body.count).toBe(15)
      expect(skus(body).slice(0, 2)).toEqual(['P-003', 'P-006'])
    }
  })

  test('fault 21: the ID of the own project changes nothing, and that of another matches nothing', async () => {
    const other = await service.tenant()
    expect((await shop.call(`/api/products?project=${shop.project}`)).body.count).toBe(45)
    expect((await shop.call(`/api/products?project_id=${other.project}`)).body).toMatchObject({
      count: 0,
      results: [],
    })
  })

  test.each([
    ['status=sold', 'status', 'invalid_value'],
    ['product_type=SIMPLE', 'product_type', 'invalid_value'],
    ['category=abc', 'category', 'invalid_value'],
    ['project=1e3', 'project', 'invalid_value'],
    ['project=-1', 'project', 'invalid_value'],
    ['project=0x10', 'project', 'invalid_value'],
    ['project=%D9%A1', 'project', 'invalid_value'],
    ['project=9223372036854775808', 'project', 'invalid_value'],
    ['status=active&status=active', 'status', 'repeated_parameter'],
    ['product_type=simple&type=simple', 'type', 'repeated_parameter'],
    ['per_page=1&limit=1', 'limit', 'repeated_parameter'],
    ['ordering=id&sort=id', 'sort', 'repeated_parameter'],
    ['colour=red', 'colour', 'unknown_parameter'],
    ['__proto__=1', '__proto__', 'unknown_parameter'],
  ])('fault 15: %s is rejected and named', async (query, parameter, code) => {
    const { status, body } = await shop.call(`/api/products?${query}`)
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ parameter, code, message: expect.any(String) }])
  })

  test('a typo gets a suggestion, and all errors are reported at once', async () => {
    const { status, body } = await shop.call('/api/products?statuss=active&prodct_type=simple&page_size=x')
    expect(status).toBe(400)
    expect(body.errors).toHaveLength(3)
    expect(body.errors[0].message).toContain('"status"')
    expect(body.errors[1].message).toContain('"product_type"')
  })

  test('an ordering error is reported with the others, under the name that was sent', async () => {
    const { body } = await shop.call('/api/products?sort=-nme&status=x&foo=1')
    expect(body.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual([
      'sort',
      'status',
      'foo',
    ])
    expect(body.errors[0].message).toContain('"name"')
    expect(body.errors[2].message).toContain('use one of project, project_id, status')
  })

  test.each(['sku=%ff', 'sku=%00', 'sku=%E0%A4%A', '%zz=1'])(
    'fault 14: %s is not text: 400',
    async (query) => {
      expect((await shop.call(`/api/products?${query}`)).status).toBe(400)
    },
  )
})

describe('ordering', () => {
  test.each([
    ['-id', 'P-045'],
    ['sku', 'P-001'],
    ['-sku', 'P-045'],
    ['name', 'P-045'],
    ['status,-id', 'P-044'],
    ['product_type,id', 'P-003'],
    ['price', 'P-001'],
    ['-price', 'P-044'],
    ['created_at', 'P-001'],
    ['-updated_at', 'P-045'],
  ])('ordering=%s starts with %s', async (ordering, first) => {
    const { body } = await shop.call(`/api/products?ordering=${ordering}`)
    expect(skus(body)[0]).toBe(first)
  })

  test('products without a price come last in both directions', async () => {
    for (const ordering of ['price', '-price']) {
      const { body } = await shop.call(`/api/products?sort=${ordering}&page=last&page_size=9`)
      expect(skus(body).every((sku: string) => Number(sku.slice(2)) % 5 === 0)).toBe(true)
    }
  })

  test.each(['colour', 'nam', 'id,id', '', '-', 'id;drop table products', 'name desc', '--id'])(
    'fault 17: ordering=%s is rejected',
    async (ordering) => {
      const { status, body } = await shop.call(`/api/products?ordering=${encodeURIComponent(ordering)}`)
      expect([status, body.errors[0].parameter]).toEqual([400, 'ordering'])
    },
  )

  test('ties are broken by ID, so that pages never overlap', async () => {
    const one = await shop.call('/api/products?ordering=status&page_size=20')
    const two = await shop.call('/api/products?ordering=status&page_size=20&page=2')
    const all = [...skus(one.body), ...skus(two.body)]
    expect(new Set(all).size).toBe(40)
  })
})

test('concurrent pages of every kind equal the same pages requested alone', { tags: 'slow' }, async () => {
  const ways = [
    '',
    'status=active',
    'product_type=virtual',
    'status=pending&product_type=bundle',
    'ordering=-id',
  ]
  const others = [
    'ordering=-price',
    'ordering=name',
    'ordering=price,name',
    'status__in=active,archived',
    'search=Prod',
    'search=uct&ordering=-id',
    'search=Prod&ordering=-price',
    'search=P-00',
  ]
  const category = (await shop.call('/v2/categories')).body.results[0].id
  const lists = [
    ...ways,
    ...others,
    `category=${category}`,
    `category=${category}&status=active&ordering=-id`,
  ]
  const pages = lists.flatMap((list) =>
    ['1', '2', '3', 'last'].flatMap((page) =>
      [3, 20].map((size) => `${list}&page_size=${size}&page=${page}`),
    ),
  )
  const responses = (paths: string[]) => Promise.all(paths.map((path) => shop.call(`/v2/products?${path}`)))
  const together = await responses(pages)
  for (const [index, path] of pages.entries()) {
    const alone = await shop.call(`/v2/products?${path}`)
    const { request_id: _, ...expected } = alone.body
    expect([path, together[index]?.body]).toMatchObject([path, expected])
  }
})

test('fault 15: a page far past the last search result does not exist', async () => {
  for (const ordering of ['id', 'name']) {
    const { status, body } = await shop.call(
      `/v2/products?search=Prod&page=9007199254740991&page_size=500&ordering=${ordering}`,
    )
    expect([status, body.code]).toEqual([404, 'invalid_page'])
  }
})

test('a name is returned exactly as sent', async () => {
  const tenant = await service.tenant()
  const name = 'Quote ", backslash \\, solidus /, \u2028, é, 漢, 😀 </script>'
  const made = await tenant.call('/v2/products', { method: 'POST', body: { sku: 'ODD "\\"', name } })
  expect(made.status).toBe(201)
  const { body } = await tenant.call('/v2/products')
  expect(body.results).toMatchObject([{ sku: 'ODD "\\"', name }])
})

test('a list that many clients request shows every write that was acknowledged before', {
  tags: 'slow',
}, async () => {
  const busy = await service.tenant()
  let hammering = true
  const crowd = Promise.all(
    Array.from({ length: 6 }, async () => {
      while (hammering) await busy.call('/v2/products')
    }),
  )
  for (let made = 1; made <= 12; made += 1) {
    await busy.call('/v2/products', { method: 'POST', body: { sku: `S-${made}`, name: 'Seen' } })
    expect((await busy.call('/v2/products')).body.count).toBe(made)
  }
  hammering = false
  await crowd
})
