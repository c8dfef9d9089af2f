import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { beginning, type Cursor, parseCursor } from '../../model/events/cursor.ts'
import { recordEvents } from '../../model/events/record-events.sql.ts'
import { scopes } from '../../model/scopes.ts'
import { sql } from '../../platform/database/sql.ts'
import { numberEvents } from './number-events.sql.ts'
import { type EventBatch, type EventQuery, readEvents } from './read-events.sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const read = (asked: Partial<EventQuery>, project = shop.project): Promise<EventBatch> =>
  readEvents(service.database, project, {
    ...{ after: beginning, types: undefined, scopes, limit: 1000, mostBytes: 1_000_000 },
    ...asked,
  })

/** Reads everything in steps, each from the cursor of the previous one. */
async function readOn(asked: Partial<EventQuery>, project = shop.project): Promise<EventBatch['results'][]> {
  const steps: EventBatch['results'][] = []
  for (let after: Cursor = beginning; ; ) {
    const { results, cursor, head } = await read({ ...asked, after }, project)
    steps.push(results)
    if (cursor === head) return steps
    after = parseCursor(cursor) as Cursor
  }
}

test('reads limited by number, bytes or partition return every event exactly once', async () => {
  for (const ids of [[1, 2, 3], [4], [5, 6, 7, 8, 9]])
    await service.database.transaction((tx) =>
      recordEvents(tx, shop.project, {
        type: 'category.updated',
        actor: 'tester',
        source: 'service',
        objects: ids.map((id) => ({ id, before: { name: 'Old' }, after: { name: `New ${id}` } })),
      }),
    )
  await expect
    .poll(async () => {
      await numberEvents(service.database)
      return (await read({})).results.length
    })
    .toBe(9)
  const { results: all, cursor, head } = await read({})
  expect(cursor).toBe(head)
  expect(all.map(({ data }) => data)).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => ({
      object: 'category',
      ...{ id, sku: null, version: null, before: { name: 'Old' }, after: { name: `New ${id}` } },
    })),
  )
  expect(new Set(all.map(({ id }) => id)).size).toBe(9)
  expect(all[0]).toMatchObject({
    id: expect.stringMatching(/^evt_[0-9a-f]{32}_1$/),
    type: 'category.updated',
    actor: 'tester',
    source: 'service',
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
  })

  for (const limit of [1, 2, 3, 8]) {
    const steps = await readOn({ limit })
    expect(steps.flat()).toEqual(all)
    expect(Math.max(...steps.map(({ length }) => length))).toBe(limit)
  }
  const small = await readOn({ mostBytes: 1200 })
  expect([small.flat(), small.length]).toEqual([all, 3])
  expect((await readOn({ mostBytes: 1 })).map(({ length }) => length)).toEqual(Array(9).fill(1))
  const partitions = await Promise.all(
    [0, 1, 2].map((number) => readOn({ partitions: { numbers: [number], count: 3 }, limit: 2 })),
  )
  const inPartitions = partitions.map((steps) => steps.flat().map(({ data }) => data.id))
  expect(inPartitions.flat().sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  for (const ids of inPartitions) expect(ids).toEqual(ids.toSorted())
  const together = await read({ partitions: { numbers: [0, 1, 2], count: 3 } }, shop.project)
  for (const [number, ids] of inPartitions.entries())
    expect(
      together.results.filter((_, at) => together.partitions[at] === number).map(({ data }) => data.id),
    ).toEqual(ids)
})

test('a filter without matches skips at most 10,000 rows per read', async () => {
  const { project } = await service.tenant()
  await service.database.query(sql`
    insert into event_feed (project_id, number, key, type, changed_at, actor, source, object_ids)
    select ${project}, number, gen_random_uuid(), 'category.created', now(), 'tester', 'service', array[number]
    from generate_series(1, 10005) as number`)
  const first = await read({ types: ['prompt.created'] }, project)
  expect([first.results, parseCursor(first.cursor)?.number, parseCursor(first.head)?.number]).toEqual([
    [],
    10_000,
    10_005,
  ])
  const second = await read(
    { types: ['prompt.created'], after: parseCursor(first.cursor) as Cursor },
    project,
  )
  expect(second.cursor).toBe(second.head)
  const hidden = await read({ scopes: ['events:read', 'prompts:read'] }, project)
  expect([hidden.results, hidden.cursor]).toEqual([[], first.cursor])
})

test('creations of frequently changed products are read a few at a time', async () => {
  const own = await service.tenant()
  const lines = ['A', 'B', 'C'].map((sku) => ({ sku, name: 'Often' }))
  await own.call('/v2/products/bulk', { method: 'POST', body: lines })
  await service.database.query(sql`update products set version = 15000 where project_id = ${own.project}`)
  await own.call('/v2/events')
  const steps = await readOn({}, own.project)
  expect(steps.map((events) => events.map(({ data }) => data.sku))).toEqual([['A'], ['B'], ['C']])
  expect(steps[0]?.[0]?.data.after).toMatchObject({ sku: 'A', name: 'Often' })
})
