import { expect, test } from 'vitest'
import { sharedTestService } from '../../../../test/harness.ts'
import { productTypes, statuses } from '../../../model/fields/product-fields.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { orderingFields } from '../product-list.schema.ts'
import { batchPages, listProducts, sharePages } from './product-list.sql.ts'

test('concurrent pages in all orders leave connections for other requests, and all succeed', async () => {
  const { database, tenant } = await sharedTestService()
  const { project: projectId } = await tenant()
  let running = 0
  let most = 0
  const counting: Queryable = {
    async query(statement) {
      running += 1
      most = Math.max(most, running)
      return database.query(statement).finally(() => {
        running -= 1
      })
    },
  }
  const read = batchPages(counting)
  const counted = { projectId, category: 0, statuses: [...statuses], types: [...productTypes] }
  const orders = orderingFields.filter((field) => field !== 'id').flatMap((field) => [field, `-${field}`])
  const pages = orders.flatMap((ordering) =>
    Array.from({ length: 16 }, (_, index) =>
      read({ counted, ordering, page: { number: index + 2, size: 20 } }, index % 2 === 0),
    ),
  )
  expect(await Promise.all(pages)).toEqual(pages.map(() => ({ count: 0, items: '' })))
  expect(most).toBe(2)
})

test('concurrent pages by price share statements, whether or not the statistics know the project', async () => {
  const { database, tenant } = await sharedTestService()
  const shop = await tenant()
  const body = Array.from({ length: 60 }, (_, n) => ({ sku: `P-${n}`, name: `P ${n}`, price: n }))
  await shop.call('/v2/products/bulk', { method: 'POST', body })
  for (const isLargeProject of [false, true]) {
    const plannedEachTime: boolean[] = []
    const counting: Queryable = {
      async query(statement) {
        plannedEachTime.push(statement.planEachTime === true)
        return database.query(statement)
      },
    }
    const list = (number: number) =>
      listProducts(counting, shared, shop.project, {
        filters: {},
        ordering: '-price',
        page: { number, size: 20 },
        isLargeProject,
      })
    const shared = sharePages(counting)
    const pages = await Promise.all([2, 3].map(list))
    expect(pages.map(({ items }) => JSON.parse(`[${items}]`)[0].sku)).toEqual(['P-39', 'P-19'])
    expect(plannedEachTime).toEqual([!isLargeProject])
  }
})
