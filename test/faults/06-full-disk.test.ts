import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { leaseEmbeddedServer } from '../../src/platform/database/embedded/lease.ts'
import { fillDisk, smallDisk } from '../database/small-disk.ts'
import { startTestService, type Tenant } from '../harness.ts'
import { dataFolder } from '../setup/temporary-folder.ts'
import { recordFigures } from './figures.ts'
import { rounds } from './scale.ts'

test('fault 6: while the disk is full, writes return 503 and reads continue; with free space, writes succeed again', async (context) => {
  const disk = smallDisk(400)
  if (disk === undefined)
    return context.skip('a small disk cannot be mounted; run as root to test a full disk')
  const data = join(disk, 'data')
  execFileSync('cp', ['-a', dataFolder(), data])
  const lease = await leaseEmbeddedServer(data)
  const service = await startTestService({}, lease.connection, { dataDirectory: data })
  const shop = await service.tenant()
  const create = (sku: string) =>
    shop.call('/v2/products', { method: 'POST', body: { sku, name: sku, description: incompressible() } })
  expect((await create('BEFORE')).status).toBe(201)
  let acknowledged = 1
  let fills = 0
  for (const round of rounds(1, 10, 60)) {
    const freeSpace = fillDisk(disk, (round % 4) * 1024 * 1024)
    let status = 201
    for (let turn = 0; status === 201 && turn < 400; turn += 1) {
      const response = await create(`D-${round}-${turn}`)
      status = response.status
      if (status === 201) acknowledged += 1
      else expect([status, response.headers.get('retry-after')]).toEqual([503, expect.any(String)])
    }
    expect(status).toBe(503)
    expect(await statusesOfReads(shop)).toEqual([200, 200, 200])
    freeSpace()
    await expect.poll(async () => (await create(`ROOM-${round}`)).status).toBe(201)
    acknowledged += 1
    fills += 1
  }
  expect((await shop.call('/v2/products')).body.count).toBe(acknowledged)
  const of = `full disks during ${acknowledged} acknowledged writes`
  const notes = ['Writes failed and recovered each time; reads continued']
  recordFigures(context, { tried: fills, of, survived: fills, lost: 0, notes })
  await lease.release()
})

async function statusesOfReads({ call }: Tenant): Promise<number[]> {
  const paths = ['/v2/products', '/v2/project', '/v2/products/by-sku/BEFORE']
  return Promise.all(paths.map(async (path) => (await call(path)).status))
}

/** 60 KB of text that the database cannot compress. */
function incompressible(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(45_000))).toString('base64')
}
