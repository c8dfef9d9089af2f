import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
})
beforeEach(async () => {
  shop = await service.tenant()
})

async function createCategories(): Promise<void> {
  const categories = Array.from({ length: 25 }, (_, index) => ({ name: `Category ${index + 1}` }))
  await shop.call('/api/products', { method: 'POST', body: { sku: 'A', name: 'A', categories } })
}

test('the list of categories is paged like every list', async () => {
  await createCategories()
  const { body } = await shop.call('/v2/categories?page_size=10&page=3')
  expect(body).toMatchObject({
    count: 25,
    next: null,
    previous: `${service.url}/v2/categories?page=2&page_size=10`,
  })
  expect(body.results).toHaveLength(5)
  expect(Object.keys(body.results[0])).toEqual([
    'id',
    'name',
    'project',
    'created_at',
    'updated_at',
    'parent',
    'path',
    'position',
  ])
  expect(body.results[0].project).toBe(shop.project)
})

test('a category is read by its ID', async () => {
  await createCategories()
  const { body: list } = await shop.call('/api/categories?page_size=1')
  const { status, body } = await shop.call(`/api/categories/${list.results[0].id}`)
  expect([status, body]).toEqual([200, { ...list.results[0], products: 1, products_under: 1 }])
  expect((await shop.call('/api/categories/987654321')).body.code).toBe('not_found')
})

test('50 clients that create the same categories in different orders all succeed', async () => {
  const names = ['N1', 'N2', 'N3', 'N4', 'N5', 'N6']
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const order = index % 2 === 0 ? names : names.toReversed()
      return shop.call('/api/products', {
        method: 'POST',
        body: { sku: `N-${index}`, name: 'N', categories: order.map((name) => ({ name })) },
      })
    }),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
  const ids = responses.flatMap(({ body }) => body.categories.map(({ id }: { id: number }) => id))
  expect(new Set(ids).size).toBe(names.length)
})

describe('writing categories', () => {
  const send = (method: string, path: string, body?: unknown) =>
    shop.call(`/api/categories${path}`, { method, ...(body !== undefined && { body }) })

  test('a name is trimmed and unique in the project', async () => {
    const created = await send('POST', '', { name: '  Tools ' })
    expect([created.status, created.body.name]).toEqual([201, 'Tools'])
    expect(created.headers.get('location')).toBe(`${service.url}/api/categories/${created.body.id}`)
    const again = await send('POST', '', { name: 'Tools' })
    expect([again.status, again.body.code, again.body.existing_id]).toEqual([
      409,
      'duplicate_name',
      created.body.id,
    ])
    const other = await send('POST', '', { name: 'Other' })
    expect((await send('PATCH', `/${other.body.id}`, { name: 'Tools' })).body).toMatchObject({
      code: 'duplicate_name',
      existing_id: created.body.id,
    })
  })

  test('a rename appears in the products immediately', async () => {
    const { body: product } = await shop.call('/api/products', {
      method: 'POST',
      body: { sku: 'R', name: 'R', categories: [{ name: 'Old name' }] },
    })
    const [{ id }] = product.categories
    const renamed = await send('PATCH', `/${id}`, { name: 'New name' })
    expect(renamed.body).toMatchObject({ id, name: 'New name' })
    expect((await shop.call(`/api/products/${product.id}`)).body.categories).toEqual([
      { id, name: 'New name' },
    ])
    expect((await send('PATCH', `/${id}`, { name: 'New name' })).body).toEqual(renamed.body)
  })

  test('a category can be deleted only if no product has it', async () => {
    const { body: product } = await shop.call('/api/products', {
      method: 'POST',
      body: { sku: 'D', name: 'D', categories: [{ name: 'Doomed' }] },
    })
    const [{ id }] = product.categories
    expect((await send('DELETE', `/${id}`)).body.code).toBe('category_in_use')
    await shop.call(`/api/products/${product.id}`, { method: 'PATCH', body: { categories: [] } })
    const deleted = await shop.call(`/api/categories/${id}`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
    })
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect((await send('DELETE', `/${id}`)).status).toBe(404)
  })

  test.each([{}, { name: '' }, { name: 5 }, { name: 'x', colour: 'red' }, { name: 'a\nb' }])(
    '%j is rejected',
    async (body) => {
      expect((await send('POST', '', body)).status).toBe(422)
    },
  )

  test('that are renamed and deleted during product writes cause no 5xx response', {
    tags: 'slow',
  }, async () => {
    for (let round = 0; round < 15; round += 1) {
      const { body: category } = await send('POST', '', { name: `Moving ${round}` })
      const { body: product } = await shop.call('/api/products', {
        method: 'POST',
        body: { sku: `M-${round}`, name: 'M' },
      })
      const write = (method: string, path: string, body?: unknown) =>
        shop.call(`/api${path}`, { method, ...(body !== undefined && { body }) })
      const responses = await Promise.all([
        write('DELETE', `/categories/${category.id}`),
        write('PATCH', `/products/${product.id}`, { categories: [category.id] }),
        write('POST', '/products', {
          sku: `M-${round}-b`,
          name: 'M',
          categories: [{ name: `Moved ${round}` }, category.id, { name: `Moving ${round}` }],
        }),
        write('PATCH', `/categories/${category.id}`, { name: `Moved ${round}` }),
        write('PUT', `/products/by-sku/M-${round}-c`, {
          name: 'M',
          categories: [{ name: `Moving ${round}` }],
        }),
        write('DELETE', `/categories/${category.id}`),
      ])
      expect(responses.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([])
    }
  })
})
