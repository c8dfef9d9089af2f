import { expect, test } from 'vitest'
import type { Queryable } from '../../database/database.ts'
import { productTypes, statuses } from '../product-fields.ts'
import { orderingFields } from '../product-list.schema.ts'
import { batchPages } from './batched-pages.sql.ts'

test('pages in all orders at once leave connections to others, and all are answered', async () => {
  let running = 0
  let most = 0
  const database: Queryable = {
    async query() {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 2))
      running -= 1
      return Array.from({ length: 16 }, (_, index) => ({ place: index + 1, count: 0, items: '' })) as never
    },
  }
  const read = batchPages(database)
  const counted = { projectId: 1, category: 0, statuses: [...statuses], types: [...productTypes] }
  const orders = orderingFields.filter((field) => field !== 'id').flatMap((field) => [field, `-${field}`])
  const pages = orders.flatMap((ordering) =>
    Array.from({ length: 16 }, (_, index) =>
      read({ counted, ordering, page: { number: index + 2, size: 20 } }),
    ),
  )
  expect(await Promise.all(pages)).toEqual(pages.map(() => ({ count: 0, items: '' })))
  expect(most).toBe(2)
})
