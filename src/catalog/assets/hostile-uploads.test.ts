import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { percentile99, recordFigures } from '../../../test/faults/figures.ts'
import { scaled } from '../../../test/faults/scale.ts'
import { sharedTestService, startTestService, type Tenant } from '../../../test/harness.ts'
import { bombs, brokenFiles, disguises } from '../../../test/images/hostile-files.ts'
import { drawnPng } from '../../../test/media/drawn-png.ts'
import { upload, uploaded } from '../../../test/media/upload.ts'
import { sql } from '../../platform/database/sql.ts'

/** In the short form, other tests also take processor time, so it only finds delays of seconds. */
const leastBound = scaled(1_000, 20)

describe('fault 42: uploads of hostile images', () => {
  test('are rejected or processed, while other requests stay fast', async (context) => {
    const service = await startTestService()
    const [shop, other] = [await service.tenant(), await service.tenant()]
    const files = [
      ...(await disguises()),
      ...(await brokenFiles(42, scaled(1, 40))),
      // The others decode the largest images, which takes long.
      ...(await bombs()).filter(({ expected }) => expected === 'refused' || scaled(false, true)),
    ]
    const before = percentile99(await measure(other, sleep(scaled(200, 10_000))))
    const statuses: number[] = []
    const sending = (async () => {
      for (const { declared, content } of files) statuses.push((await upload(shop, content, declared)).status)
      await expect.poll(() => unfinished(service, shop), { timeout: scaled(30_000, 600_000) }).toBe(0)
    })()
    const durations = await measure(other, sending)
    await sending
    expect(statuses.filter((status) => ![200, 201, 415, 422].includes(status))).toEqual([])
    expect(new Set(statuses).size).toBeGreaterThan(2)
    const during = percentile99(durations)
    const figures = `p99 of ${durations.length.toLocaleString('en-US')} other requests: ${during.toFixed(1)} ms; without the uploads: ${before.toFixed(1)} ms`
    expect(during, figures).toBeLessThan(Math.max(leastBound, 2 * before))
    const { id } = await uploaded(shop, drawnPng())
    await expect.poll(async () => (await shop.call(`/v2/assets/${id}`)).body.state).toBe('ready')
    recordFigures(context, {
      ...{ tried: files.length, of: 'files', survived: statuses.length, lost: 0 },
      notes: [figures],
    })
  })
})

test('fault 42: a file whose content differs from its declared type is refused', async () => {
  const shop = await (await sharedTestService()).tenant()
  const response = await upload(shop, drawnPng(), 'image/jpeg')
  expect([response.status, response.body.code]).toEqual([422, 'type_mismatch'])
})

/** The durations of reads, one after another, until the work ends. Each must succeed. */
async function measure(shop: Tenant, work: Promise<unknown>): Promise<number[]> {
  const durations: number[] = []
  let isOver = false
  void work.finally(() => (isOver = true)).catch(() => {})
  while (!isOver) {
    const start = performance.now()
    expect((await shop.call('/v2/products?page_size=1')).status).toBe(200)
    durations.push(performance.now() - start)
    await sleep(2)
  }
  return durations
}

async function unfinished(service: Awaited<ReturnType<typeof startTestService>>, { project }: Tenant) {
  const [row] = await service.database.query(sql<{ count: number }>`
    select count(*)::int as count from assets where project_id = ${project} and state = 'processing'`)
  return row?.count
}
