import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { clientUrl } from './services.ts'

const writers = 12
const stockProducts = 24
/** Longer than any fault in the test. */
const retryMilliseconds = 180_000
const requestMilliseconds = 20_000

export type Load = Awaited<ReturnType<typeof startLoad>>

/**
 * Clients that create products and adjust stock, and retry each write with its Idempotency-Key until it succeeds. They record what is
 * acknowledged.
 */
export async function startLoad(token: string, pauseMilliseconds: number) {
  const created = new Map<string, number>()
  const adjusted = new Map<number, number>()
  const acknowledgedAt: number[] = []
  /** Counts of error responses, by status and code. */
  const rejections = new Map<string, number>()
  const unexpected: string[] = []
  let isOver = false

  async function send(path: string, body: object): Promise<{ id: number }> {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    for (const end = Date.now() + retryMilliseconds; ; ) {
      const response = await sendOnce(`${clientUrl}${path}`, request)
      if (response.isSuccess) {
        acknowledgedAt.push(performance.now())
        return response.body as { id: number }
      }
      rejections.set(response.description, (rejections.get(response.description) ?? 0) + 1)
      if (!response.isRetryable) {
        unexpected.push(`${path}: ${response.description}`)
        throw new Error(response.description)
      }
      if (Date.now() > end) throw new Error(`no success for ${path}: ${response.description}`)
      await sleep(200 + Math.random() * 300)
    }
  }

  const createProduct = (sku: string, name: string) =>
    send('/v2/products', { sku, name, inventory: { quantity: 0 } })
  const stock = await Promise.all(
    Array.from({ length: stockProducts }, (_, number) => createProduct(`STOCK-${number}`, 'Stock')),
  )

  async function write(writer: number): Promise<void> {
    for (let turn = 0; !isOver; turn += 1) {
      try {
        if (turn % 2 === 0) {
          const sku = `W-${writer}-${turn}`
          created.set(sku, (await createProduct(sku, `Written by ${writer}`)).id)
        } else {
          const { id } = stock[(writer * 7 + turn) % stock.length] as { id: number }
          await send(`/v2/products/${id}/inventory/adjust`, { delta: 1, reason: 'Delivery' })
          adjusted.set(id, (adjusted.get(id) ?? 0) + 1)
        }
      } catch (error) {
        unexpected.push((error as Error).message)
      }
      await sleep(pauseMilliseconds)
    }
  }

  const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  return {
    created,
    adjusted,
    stock: stock.map(({ id }) => id),
    rejections,
    unexpected,
    acknowledged: () => acknowledgedAt.length,
    acknowledgedAfter: (time: number) =>
      acknowledgedAt.length - acknowledgedAt.findLastIndex((at) => at <= time) - 1,
    /** The longest time without an acknowledged write since then, in seconds. */
    longestGap(since: number): number {
      const times = [since, ...acknowledgedAt.filter((at) => at > since)]
      return Math.max(...times.map((at, index) => (times[index + 1] ?? at) - at)) / 1000
    },
    async stop(): Promise<void> {
      isOver = true
      await writing
    },
  }
}

type Result = { isSuccess: boolean; isRetryable: boolean; description: string; body: unknown }

async function sendOnce(url: string, request: RequestInit): Promise<Result> {
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(requestMilliseconds) })
    const text = await response.text()
    const isProblem = response.headers.get('content-type')?.includes('json') === true
    const body = isProblem ? JSON.parse(text) : undefined
    const description = `${response.status} ${body?.code ?? 'by the proxy'}`
    // The first request with the key may still wait for its standby.
    const isRetryable =
      response.status === 503 || response.status === 502 || body?.code === 'idempotency_in_flight'
    return { isSuccess: response.ok, isRetryable, description, body }
  } catch (error) {
    const { message, cause } = error as Error
    const description = `no response: ${(cause as NodeJS.ErrnoException)?.code ?? message}`
    return { isSuccess: false, isRetryable: true, description, body: undefined }
  }
}
