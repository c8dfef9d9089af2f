import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { leaseEmbeddedServer } from '../../src/database/embedded/lease.ts'
import { startTestService, type Tenant } from '../harness.ts'
import { fillDisk, smallDisk } from '../small-disk.ts'
import { dataFolder } from '../temporary-folder.ts'
import { tell } from './figures.ts'
import { isLong, rounds } from './scale.ts'

test('fault 6: while the disk is full writes answer 503 and reads go on; with room all goes on', async (context) => {
  const disk = smallDisk(220)
  if (disk === undefined)
    return context.skip('a small disk cannot be mounted here; run as root to test a full one')
  const data = join(disk, 'data')
  execFileSync('cp', ['-a', dataFolder(), data])
  const lease = await leaseEmbeddedServer(data)
  const service = await startTestService({}, lease.connection)
  const shop = await service.tenant()
  const create = (sku: string) =>
    shop.call('/v2/products', { method: 'POST', body: { sku, name: sku, description: incompressible() } })
  expect((await create('BEFORE')).status).toBe(201)
  let acknowledged = 1
  let [fills, readable] = [0, 0]
  for (const round of rounds(1, 10, 60)) {
    const makeRoom = fillDisk(disk, (round % 4) * 1024 * 1024)
    let status = 201
    for (let turn = 0; status === 201 && turn < 400; turn += 1) {
      const answer = await create(`D-${round}-${turn}`)
      status = answer.status
      if (status === 201) acknowledged += 1
      else expect([status, answer.headers.get('retry-after')]).toEqual([503, expect.any(String)])
    }
    expect(status).toBe(503)
    const isRead = await readsGoOn(shop)
    if (isRead) readable += 1
    if (!isLong) expect(isRead).toBe(true)
    makeRoom()
    await expect.poll(async () => (await create(`ROOM-${round}`)).status).toBe(201)
    acknowledged += 1
    fills += 1
  }
  expect((await shop.call('/v2/products')).body.count).toBe(acknowledged)
  const of = `full disks beside ${acknowledged} acknowledged writes`
  // PostgreSQL ends where its own log finds no room, and starts again when there is some.
  const notes = [
    `Writes were refused and came back each time; reads went on ${readable} times, and else waited for room too`,
  ]
  tell(context, { tried: fills, of, survived: readable, lost: 0, notes })
  await lease.release()
})

/** Every read works, at once or after the moment in which a server recovers. */
async function readsGoOn({ call }: Tenant): Promise<boolean> {
  const deadline = Date.now() + 5_000
  for (;;) {
    const paths = ['/v2/products', '/v2/project', '/v2/products/by-sku/BEFORE']
    const statuses = await Promise.all(paths.map(async (path) => (await call(path)).status))
    if (statuses.every((status) => status === 200)) return true
    if (Date.now() > deadline) return false
  }
}

/** 60 KB of text that the database cannot make smaller. */
function incompressible(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(45_000))).toString('base64')
}
