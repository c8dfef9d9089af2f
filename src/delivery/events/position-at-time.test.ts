import { expect, test } from 'vitest'
import { sharedTestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'
import { findPositionAtTime } from './position-at-time.sql.ts'

const at = (minute: number, second = 0) => new Date(Date.UTC(2026, 0, 31, 12, minute, second)).toISOString()

test('the position at a time is before all later changes, including late commits', async () => {
  const { database, tenant } = await sharedTestService()
  const { project } = await tenant()
  // One change per minute; the one of minute 20 is committed after that of minute 24.
  const minutes = Array.from({ length: 60 }, (_, minute) => minute).filter((minute) => minute !== 20)
  const moments = minutes.toSpliced(minutes.indexOf(25), 0, 20).map((minute) => at(minute))
  await database.query(sql`
    insert into event_feed (project_id, number, key, type, changed_at, actor, source, object_ids)
    select ${project}, number, gen_random_uuid(), 'product.updated', changed_at, 'tester', 'api', '{1,2}'
    from unnest(${moments}::timestamptz[]) with ordinality as moment (changed_at, number)`)
  const numberAt = async (moment: string) => (await findPositionAtTime(database, project, moment)).number
  expect(await numberAt(at(-1))).toBe(0)
  expect(await numberAt(at(10))).toBe(10)
  expect(await numberAt(at(10, 1))).toBe(11)
  expect(await numberAt(at(20))).toBe(20)
  expect(await numberAt(at(90))).toBe(60)
  for (const moment of [at(19), at(20), at(24, 30), at(25), at(59)]) {
    const place = await numberAt(moment)
    expect(
      moments.slice(0, place).every((one) => one < moment),
      moment,
    ).toBe(true)
    expect((moments[place] as string) >= moment, moment).toBe(true)
  }
  expect(await findPositionAtTime(database, project, at(90))).toMatchObject({
    position: 2,
    key: expect.stringMatching(/^[0-9a-f]{8}$/),
  })
})

test('in an empty feed, the position at any time is the beginning', async () => {
  const { database, tenant } = await sharedTestService()
  expect(await findPositionAtTime(database, (await tenant()).project, at(0))).toMatchObject({ number: 0 })
})
