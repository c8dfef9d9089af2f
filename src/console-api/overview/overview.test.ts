import { beforeAll, expect, test } from 'vitest'
import { type ConsoleUser, consoleUser } from '../../../test/console-user.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { deleteOldActivity } from '../../access/usage/activity.sql.ts'
import { sql } from '../../platform/database/sql.ts'
import { countActivity } from './activity.sql.ts'
import type { DayOfActivity } from './overview.schema.ts'

let service: TestService
let shop: Tenant
let viewer: ConsoleUser

/** How many days ago each product was created and last changed. */
const written: [sku: string, created: number, changed: number][] = [
  ['NEW', 0, 0],
  ['MENDED', 0, 0],
  ['OLD-1', 400, 3],
  ['OLD-2', 29, 3],
  ['OLDER', 30, 29],
  ['GONE-BY', 31, 30],
]

beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  viewer = await consoleUser(service, { memberships: [{ project_id: shop.project, role: 'viewer' }] })
  const body = written.map(([sku]) => ({ sku, name: sku }))
  await shop.call('/v2/products/bulk', { method: 'POST', body })
  await shop.call('/v2/products/bulk', { method: 'POST', body: [{ sku: 'MENDED', price: 1 }] })
  for (const [sku, created, changed] of written.filter(([, ago]) => ago > 0))
    await service.database.transaction((tx) =>
      tx.query(sql`
        update products set created_at = now() - ${created} * interval '24 hours', updated_at = now() - ${changed} * interval '24 hours'
        where project_id = ${shop.project} and sku = ${sku}`),
    )
})

const dayBefore = (ago: number) => new Date(Date.now() - ago * 864e5).toISOString().slice(0, 10)

test('the last 30 days show created and last changed products, with the same counts as the lists', async () => {
  const { status, body } = await viewer.call(`/console/api/projects/${shop.project}/overview/activity`)
  expect(status).toBe(200)
  const days: DayOfActivity[] = body.days
  expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([30, dayBefore(29), dayBefore(0)])
  expect(days.filter(({ created, changed }) => created !== 0 || changed !== 0)).toEqual([
    { day: dayBefore(29), created: 1, changed: 1 },
    { day: dayBefore(3), created: 0, changed: 2 },
    { day: dayBefore(0), created: 2, changed: 0 },
  ])
  for (const ago of [29, 3, 0]) {
    const [from, to] = [`${dayBefore(ago)}T00:00:00Z`, `${dayBefore(ago - 1)}T00:00:00Z`]
    const count = async (query: string) => (await shop.call(`/v2/products?${query}&page_size=1`)).body.count
    expect(days.find(({ day }) => day === dayBefore(ago))).toMatchObject({
      created: await count(`created_at__gte=${from}&created_at__lt=${to}`),
      changed: await count(`updated_at__gte=${from}&updated_at__lt=${to}&created_at__lt=${from}`),
    })
  }
})

test('if more products changed than are counted, earlier days are null, never too low', async () => {
  const { days, most_counted } = await countActivity(service.database, shop.project, 3)
  expect(most_counted).toBe(3)
  expect(days.filter(({ changed }) => changed === null).map(({ day }) => day)).toEqual(
    Array.from({ length: 27 }, (_, place) => dayBefore(29 - place)),
  )
  expect(days.slice(-3).map(({ created, changed }) => [created, changed])).toEqual([
    [0, 0],
    [0, 0],
    [2, 0],
  ])
})

test('the overview sums the changes of members and tokens over the last 30 days; reads and previews are no changes', {
  tags: 'slow',
}, async () => {
  const { project, call } = await service.tenant()
  const editor = await consoleUser(service, { memberships: [{ project_id: project, role: 'editor' }] })
  const at = (path: string) => `/console/api/projects/${project}${path}`
  const people = async () => (await editor.call(at('/overview/people'))).body.results
  expect(await people()).toEqual([])
  for (const sku of ['A', 'B'])
    await editor.call(at('/products'), { method: 'POST', body: { sku, name: sku } })
  await call('/v2/products/bulk', { method: 'POST', body: [{ sku: 'C', name: 'C' }] })
  await call('/v2/products/bulk?dry_run=true', { method: 'POST', body: [{ sku: 'D', name: 'D' }] })
  await editor.call(at('/products'), { method: 'POST', body: { name: 'invalid' } })
  await editor.call(at('/quality-rules/preview'), { method: 'POST', body: { rules: [] } })
  await expect.poll(people).toMatchObject([
    { actor: editor.email, source: 'console', actions: 2, name: null },
    { actor: 'API client', source: 'api', actions: 1 },
  ])
  const move = (days: number) =>
    service.database.query(sql`
      update actor_activity set day = day - ${days} * interval '24 hours' where project_id = ${project}`)
  await move(29)
  expect(await people()).toHaveLength(2)
  await move(1)
  expect(await people()).toEqual([])
  await deleteOldActivity(service.database, new AbortController().signal)
  const left = await service.database.query(sql`select from actor_activity where project_id = ${project}`)
  expect(left).toEqual([])
})
