import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { clientUrl } from './services.ts'

const writers = 12
const stockProducts = 24
/** Longer than any fault of the test lasts; whoever gets no answer until then has found one that does not heal. */
const maxRetryMilliseconds = 180_000
const requestMilliseconds = 20_000

export type Load = Awaited<ReturnType<typeof startLoad>>

/**
 * Clients that create products and adjust stock, each write with an Idempotency-Key, and repeat a write until it is answered. Whatever
 * is acknowledged is remembered.
 */
export async function startLoad(token: string, pauseMilliseconds: number) {
  const created = new Map<string, number>()
  const adjusted = new Map<number, number>()
  const acknowledgedAt: number[] = []
  /** Answers that were no success, by status and code. */
  const refusals = new Map<string, number>()
  const unexpected: string[] = []
  let isOver = false

  async function send(path: string, body: object): Promise<{ id: number }> {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    for (const end = Date.now() + maxRetryMilliseconds; ; ) {
      const answer = await ask(`${clientUrl}${path}`, request)
      if (answer.isSuccess) {
        acknowledgedAt.push(performance.now())
        return answer.body as { id: number }
      }
      refusals.set(answer.words, (refusals.get(answer.words) ?? 0) + 1)
      if (!answer.mayRepeat) {
        unexpected.push(`${path}: ${answer.words}`)
        throw new Error(answer.words)
      }
      if (Date.now() > end) throw new Error(`no answer to ${path}: ${answer.words}`)
      await sleep(200 + Math.random() * 300)
    }
  }

  const makeProduct = (sku: string, name: string) =>
    send('/v2/products', { sku, name, inventory: { quantity: 0 } })
  const stock = await Promise.all(
    Array.from({ length: stockProducts }, (_, number) => makeProduct(`STOCK-${number}`, 'Stock')),
  )

  async function write(writer: number): Promise<void> {
    for (let turn = 0; !isOver; turn += 1) {
      try {
        if (turn % 2 === 0) {
          const sku = `W-${writer}-${turn}`
          created.set(sku, (await makeProduct(sku, `Written by ${writer}`)).id)
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
    refusals,
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

type Outcome = { isSuccess: boolean; mayRepeat: boolean; words: string; body: unknown }

async function ask(url: string, request: RequestInit): Promise<Outcome> {
  try {
    const answer = await fetch(url, { ...request, signal: AbortSignal.timeout(requestMilliseconds) })
    const text = await answer.text()
    const isProblem = answer.headers.get('content-type')?.includes('json') === true
    const body = isProblem ? JSON.parse(text) : undefined
    const words = `${answer.status} ${body?.code ?? 'by the proxy'}`
    // The first request with the key may still wait for its standby.
    const mayRepeat = answer.status === 503 || answer.status === 502 || body?.code === 'idempotency_in_flight'
    return { isSuccess: answer.ok, mayRepeat, words, body }
  } catch (error) {
    const { message, cause } = error as Error
    const words = `no answer: ${(cause as NodeJS.ErrnoException)?.code ?? message}`
    return { isSuccess: false, mayRepeat: true, words, body: undefined }
  }
}
