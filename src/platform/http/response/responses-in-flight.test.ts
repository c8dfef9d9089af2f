import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { startTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { sql } from '../../database/sql.ts'
import { memoryBudget } from '../limits/memory-budget.ts'

const mebibyte = 1024 * 1024
let service: TestService
let shop: Tenant
let other: Tenant

// Far more than the system buffers for a client that does not read.
beforeAll(async () => {
  const usual = memoryBudget()
  const responses = { ...usual.responses, total: 10 * mebibyte, perProject: 7 * mebibyte }
  service = await startTestService({}, inject('connection'), { memory: { ...usual, responses } })
  shop = await service.tenant()
  other = await service.tenant()
  const lines = Array.from({ length: 65 }, (_, index) => ({
    sku: `F-${index}`,
    name: 'In flight',
  }))
  const push = ({ call }: Tenant, body: object[]) => call('/v2/products/bulk', { method: 'POST', body })
  await push(shop, lines)
  await push(other, lines.slice(0, 20))
  await service.database.query(sql`
    update products set description = repeat('x', 100000) where project_id = any(${[shop.project, other.project]}::bigint[])`)
})

const page = '/v2/products?expand=detail&page_size=65'

/** Asks for the page and leaves it unread but for what comes first. */
async function leaveUnread({ token }: Tenant, query = ''): Promise<{ socket: Socket; begin: string }> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write(`GET ${page}${query} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await once(socket, 'readable')
  return { socket, begin: String(socket.read()) }
}

describe('fault 25: a response that waits for its client', () => {
  test('uses its share of the memory: further large responses are too_busy, small reads and writes are not', async () => {
    const first = await leaveUnread(shop)
    expect(first.begin).toMatch(/^HTTP\/1.1 200 /)

    const second = await leaveUnread(shop, '&ordering=-id')
    expect(second.begin).toMatch(/^HTTP\/1.1 503 .*retry-after: 5\r\n.*"code":"too_busy"/s)
    const write = { method: 'POST', body: { sku: 'NEW', name: 'New' } }
    expect((await shop.call('/v2/products', write)).status).toBe(201)
    // A second project finds the room that one project cannot take.
    expect((await other.call('/v2/products', write)).status).toBe(201)
    expect((await other.call('/v2/products/by-sku/F-1')).status).toBe(200)

    first.socket.destroy()
    const again = async () => (await leaveUnread(shop, '&ordering=-id')).begin
    await expect.poll(again).toMatch(/^HTTP\/1.1 200 /)
  })

  test('gives its share back when it is read, however often, compressed or not', async () => {
    const path = '/v2/products?expand=detail&page_size=20'
    for (const encoding of ['identity', 'gzip', 'br', 'zstd'])
      for (let time = 0; time < 3; time += 1) {
        const { status, body } = await other.call(path, { headers: { 'accept-encoding': encoding } })
        expect([status, body.results.length]).toEqual([200, 20])
      }
  })
})
