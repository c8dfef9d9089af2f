import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Receiver } from '../webhook-receiver.ts'
import { percentile99 } from './figures.ts'
import type { Shop } from './noise.ts'

const products = 40
const restMilliseconds = 20

export type Measured = {
  /** Of reads and writes, in milliseconds. */
  p99: number
  /** Statuses other than 200. */
  rejected: number[]
  requests: number
  /** From the response of a write to the delivery of its event, at p99; infinite if an event is missing. */
  lag: number
  /** Until the proposal opened, in milliseconds. */
  proposal: number
}

/** Reads, writes, receives events and proposes for that time, and measures each. */
export async function measureVictim(
  shop: Shop,
  receiver: Receiver,
  ids: readonly number[],
  milliseconds: number,
): Promise<Measured> {
  const ends = performance.now() + milliseconds
  const durations: number[] = []
  const rejected: number[] = []
  const written = new Map<string, number>()
  const any = () => ids[Math.floor(Math.random() * ids.length)] as number

  async function timed(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const began = performance.now()
    const response = await shop.send(method, path, body)
    durations.push(performance.now() - began)
    if (response.status !== 200) rejected.push(response.status)
    return response.body
  }
  async function repeat(work: () => Promise<unknown>): Promise<void> {
    while (performance.now() < ends) {
      await work()
      await sleep(restMilliseconds)
    }
  }
  async function write(): Promise<void> {
    const id = any()
    const { version } = await timed('PATCH', `/products/${id}`, {
      price: Math.round(Math.random() * 1e6) / 100,
    })
    if (version !== undefined) written.set(`${id}/${version}`, Date.now())
  }

  const [proposal] = await Promise.all([
    openProposal(shop),
    repeat(() => timed('GET', `/products/${any()}`)),
    repeat(() => timed('GET', `/products?page_size=10&page=${1 + Math.floor(Math.random() * 4)}`)),
    repeat(write),
  ])
  const lags = await deliveryLags(receiver, written)
  return {
    p99: percentile99(durations),
    rejected,
    requests: durations.length,
    lag: percentile99(lags),
    proposal,
  }
}

const readsPerSecond = 200

/** Reads products at a constant rate, and returns the p99 in milliseconds. */
export async function measureReads(
  shop: Shop,
  ids: readonly number[],
  milliseconds: number,
): Promise<number> {
  const start = performance.now()
  const count = Math.ceil((milliseconds / 1_000) * readsPerSecond)
  const reads = Array.from({ length: count }, async (_, index) => {
    await sleep(Math.max(0, (index * 1_000) / readsPerSecond - (performance.now() - start)))
    const began = performance.now()
    const { status } = await shop.send('GET', `/products/${ids[index % ids.length]}`)
    expect(status).toBe(200)
    return performance.now() - began
  })
  return percentile99(await Promise.all(reads))
}

async function openProposal(shop: Shop): Promise<number> {
  const began = performance.now()
  const edits = [{ field: 'short_description', op: 'set', value: `Text ${Math.random()}` }]
  const { status, body } = await shop.send('POST', '/proposals/from-filter', {
    title: 'Own',
    filter: '',
    edits,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  const state = async () => (await shop.send('GET', `/proposals/${body['id']}`)).body['state']
  await expect.poll(state, { interval: 50, timeout: 60_000 }).toBe('open')
  const milliseconds = performance.now() - began
  await shop.send('POST', `/proposals/${body['id']}/discard`)
  return milliseconds
}

const timeoutMilliseconds = 60_000

/** Waits for the events of all writes. */
async function deliveryLags(receiver: Receiver, written: ReadonlyMap<string, number>): Promise<number[]> {
  const receivedAt = () =>
    new Map<string, number>(
      receiver.received.map(({ event, at }) => [`${event.data.id}/${event.data.version}`, at]),
    )
  const deadline = Date.now() + timeoutMilliseconds
  while (Date.now() < deadline && [...written.keys()].some((key) => !receivedAt().has(key))) await sleep(50)
  const times = receivedAt()
  return [...written].map(([key, at]) => (times.get(key) ?? Number.POSITIVE_INFINITY) - at)
}

export async function openVictim(shop: Shop, receiver: Receiver): Promise<number[]> {
  const lines = Array.from({ length: products }, (_, index) => ({
    sku: `V-${index}`,
    name: 'Victim',
    price: 1,
  }))
  const { body } = await shop.send('POST', '/products/bulk', lines)
  const created = await shop.send('POST', '/webhooks', { url: receiver.url, types: ['product.updated'] })
  expect(created.status).toBe(201)
  return (body['results'] as { id: number }[]).map(({ id }) => id)
}
