import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownDatabase } from '../../../../test/database/test-database.ts'
import { recordFigures } from '../../../../test/faults/figures.ts'
import { scaled } from '../../../../test/faults/scale.ts'
import { startTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { seededRandom } from '../../../../test/seeded-random.ts'
import { sql } from '../../../platform/database/sql.ts'

let service: TestService
let shop: Tenant
let other: Tenant
beforeAll(async () => {
  // A separate database, because open transactions are counted for the entire database.
  service = await startTestService({}, await ownDatabase('export'))
  shop = await service.tenant()
  const lines = Array.from({ length: 300 }, (_, index) => ({
    sku: `E-${index}`,
    name: 'Exported',
    description: 'x'.repeat(2_000),
  }))
  other = await service.tenant()
  for (const { call } of [shop, other]) await call('/v2/products/bulk', { method: 'POST', body: lines })
})

const chance = seededRandom(2026)

function askForExport({ token }: Tenant, query = ''): Socket {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  socket.write(
    `GET /v2/products/export${query} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  )
  return socket
}

/** Disconnects after the given time. */
async function hangUp(socket: Socket, afterMilliseconds: number): Promise<void> {
  await sleep(afterMilliseconds)
  socket.destroy()
}

/** Four concurrent exports, two per project: all are admitted. */
async function hangUpOften(times: number): Promise<void> {
  for (let sent = 0; sent < times; sent += 4)
    await Promise.all(
      [shop, shop, other, other].map((tenant) =>
        hangUp(
          askForExport(tenant, chance.pick(['', '?format=csv', '?status=pending'])),
          chance.between(0, 20),
        ),
      ),
    )
}

async function busyConnections(): Promise<number> {
  const [row] = await service.database.query(sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`)
  return row?.count ?? -1
}

async function waitingForLock(): Promise<number> {
  const [row] = await service.database.query(sql<{ count: number }>`
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return row?.count ?? -1
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function memory(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

describe('fault 24: an export whose client disconnects', () => {
  test('at any time leaves no open transaction and no memory, and every route still works', async (context) => {
    const times = scaled(20, 800)
    await hangUpOften(scaled(10, 30))
    await expect.poll(busyConnections).toBe(0)
    const before = memory()
    await hangUpOften(times)
    await expect.poll(busyConnections).toBe(0)
    const grown = memory() - before
    expect(grown).toBeLessThan(4 * 1024 * 1024)

    const { body: product } = await shop.call('/v2/products/by-sku/E-7')
    const kinds = [
      () => shop.call('/v2/products?page_size=100'),
      () => shop.call('/v2/products?expand=detail&search=exported'),
      () => shop.call(`/v2/products/${product.id}`),
      () => shop.call(`/v2/products/${product.id}/history`),
      () =>
        shop.call(`/v2/products/${product.id}`, { method: 'PATCH', body: { price: chance.between(1, 9) } }),
      () => shop.call('/v2/products/bulk', { method: 'POST', body: [{ sku: 'E-1', name: 'Pushed' }] }),
      () => shop.call('/v2/categories'),
      () => shop.call('/v2/prompts'),
      () => shop.call('/v2/project'),
      () => shop.call('/readyz'),
    ]
    const responses = await Promise.all(Array.from({ length: 50 }, (_, at) => kinds[at % 10]?.()))
    expect(responses.map((response) => response?.status)).toEqual(Array(50).fill(200))
    expect((await shop.call('/v2/products/export')).text.split('\n')).toHaveLength(301)
    const notes = [`Memory grew by ${Math.max(0, Math.round(grown / 1024))} KiB`]
    recordFigures(context, { tried: times, of: 'clients that disconnected', survived: times, lost: 0, notes })
  })

  test('while its first products are read releases its connection and its slot', async () => {
    await service.database.transaction(async (tx) => {
      await tx.query(sql`lock table products in access exclusive mode`)
      const asked = [shop, shop].map((tenant) => askForExport(tenant))
      await expect.poll(waitingForLock).toBe(2)
      for (const socket of asked) socket.destroy()
    })
    await expect.poll(busyConnections).toBe(0)
    expect((await shop.call('/v2/products/export')).status).toBe(200)
  })

  test('relies on the database to end idle transactions', async () => {
    const [row] = await service.database.query(
      sql<Record<string, string>>`show idle_in_transaction_session_timeout`,
    )
    expect(row).toEqual({ idle_in_transaction_session_timeout: '1min' })
  })
})

describe('fault 27: an export of small and large products', () => {
  test('contains each product once and complete, ordered by ID', async () => {
    const mixed = await service.tenant()
    const sizes = [1, 9_000, 90_000, 1, 90_000, 90_000, 90_000, 90_000, 90_000, 90_000, 1, 90_000]
    const lines = sizes.map((size, index) => ({
      sku: `M-${index}`,
      name: 'Mixed',
      description: `${index} `.repeat(size / 3),
      categories: [{ name: `C ${index % 3}` }],
      attributes: { size },
    }))
    await mixed.call('/v2/products/bulk', { method: 'POST', body: lines })
    const { text } = await mixed.call('/v2/products/export')
    const exported = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(exported).toMatchObject(lines)
    expect(exported).toHaveLength(lines.length)
    expect(Object.keys(exported[1])).toEqual(Object.keys(exported[0]))
  })
})

describe('a CSV with selected columns', () => {
  test('has the requested columns in order, also for large products, and rejects unknown columns', async () => {
    const { call } = await service.tenant()
    const lines = [
      { sku: 'C-1', name: 'Lamp, small', price: 5, attributes: { color: 'red', 'a,b': 1 } },
      {
        sku: 'C-2',
        name: 'Lamp',
        description: 'x'.repeat(90_000),
        categories: [{ path: ['Home', 'Lamps'] }],
      },
    ]
    await call('/v2/products/bulk', { method: 'POST', body: lines })
    const address = '/v2/products/export?format=csv&columns='
    const shown = (await call('/v2/products?expand=detail&ordering=id')).body.results
    const columns = 'price,sku,category_paths,attributes.color,attributes.a%252Cb,id,updated_at'
    expect((await call(address + columns)).text).toBe(
      [
        'price,sku,category_paths,attributes.color,"attributes.a,b",id,updated_at',
        `5,C-1,,red,1,${shown[0].id},${shown[0].updated_at}`,
        `,C-2,Home/Lamps,,,${shown[1].id},${shown[1].updated_at}`,
        '',
      ].join('\n'),
    )
    expect((await call(`${address}sku,quality_score`)).text).toMatch(
      /^sku,quality_score\nC-1,\d+\nC-2,\d+\n$/,
    )
    for (const odd of ['sku,prize', 'sku,sku', 'attributes.', ''])
      expect((await call(address + odd)).body.code).toBe('invalid_parameters')
    expect((await call('/v2/products/export?columns=sku')).body.errors[0].parameter).toBe('columns')
  })
})
