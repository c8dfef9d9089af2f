import { beforeAll, expect, test } from 'vitest'
import { startTestService, type Tenant, type TestService } from '../../test/harness.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await startTestService()
  shop = await service.tenant()
  const categories = Array.from({ length: 25 }, (_, index) => ({ name: `Category ${index + 1}` }))
  await shop.call('/api/products', { method: 'POST', body: { sku: 'A', name: 'A', categories } })
})

test('the list of categories is paged like every list', async () => {
  const { body } = await shop.call('/v2/categories?page_size=10&page=3')
  expect(body).toMatchObject({
    count: 25,
    next: null,
    previous: `${service.url}/v2/categories?page=2&page_size=10`,
  })
  expect(body.results).toHaveLength(5)
  expect(Object.keys(body.results[0])).toEqual(['id', 'name', 'project', 'created_at', 'updated_at'])
  expect(body.results[0].project).toBe(shop.project)
})

test('a category is read by its id', async () => {
  const { body: list } = await shop.call('/api/categories?page_size=1')
  const { status, body } = await shop.call(`/api/categories/${list.results[0].id}`)
  expect([status, body]).toEqual([200, list.results[0]])
  expect((await shop.call('/api/categories/987654321')).body.code).toBe('not_found')
})

test('50 clients who name the same new categories in different orders all succeed', async () => {
  const names = ['N1', 'N2', 'N3', 'N4', 'N5', 'N6']
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const order = index % 2 === 0 ? names : names.toReversed()
      return shop.call('/api/products', {
        method: 'POST',
        body: { sku: `N-${index}`, name: 'N', categories: order.map((name) => ({ name })) },
      })
    }),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  const ids = answers.flatMap(({ body }) => body.categories.map(({ id }: { id: number }) => id))
  expect(new Set(ids).size).toBe(names.length)
})
