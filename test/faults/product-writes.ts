import { setTimeout as sleep } from 'node:timers/promises'
import { bearer } from '../processes/served-shop.ts'
import { sendRequest } from '../requests/send-request.ts'
import type { Services } from './several-services.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses have every shape
type Result = any
type Send = (method: string, path: string, body: unknown) => Promise<Result>

/** Products that all writers change. */
const sharedSkus = Array.from({ length: 8 }, (_, place) => `SHARED-${place}`)
/** A killed service, an unavailable database, or a conflicting write. */
const expected = new Set([409, 503])

/** Clients that send every kind of product write, to their own and to shared products, until they are stopped. */
export function startProductWrites(
  services: Services,
  token: string,
  names: string[],
  /** Between two writes of a client. */
  pauseMilliseconds = 0,
) {
  const rejected: string[] = []
  let acknowledged = 0
  let isStopped = false

  function sender(place: number): Send {
    return async (method, path, body) => {
      const headers = { ...bearer(token), 'content-type': 'application/json' }
      const url = await services.urlOf(place)
      const sent = { method, path, headers, body: JSON.stringify(body) }
      const response = await sendRequest(url, sent).catch((error) => {
        if (error instanceof SyntaxError) throw error
        return undefined
      })
      if (response === undefined) return void (await sleep(5))
      const isOk = response.status < 300
      if (!isOk && !expected.has(response.status))
        rejected.push(`${method} ${path}: ${response.status} ${response.text}`)
      if (!isOk) return undefined
      acknowledged += 1
      return response.body
    }
  }

  async function write(name: string, place: number): Promise<void> {
    const send = sender(place)
    for (let turn = 0; !isStopped; turn += 1)
      for (const step of steps(`${name}-${turn}`, turn)) {
        if (isStopped) return
        await step(send)
        if (pauseMilliseconds > 0) await sleep(pauseMilliseconds)
      }
  }

  const ended = Promise.all(names.map(write))
  return {
    rejected,
    acknowledged: () => acknowledged,
    async stop(): Promise<void> {
      isStopped = true
      await ended
    },
  }
}

/** The writes of one turn. Writes that need a missing response are left out. */
function steps(sku: string, turn: number): ((send: Send) => Promise<unknown>)[] {
  let created: Result
  let shared: Result
  let proposal: Result
  const of = (product: Result, work: (id: number) => Promise<unknown>) => product && work(product.id)
  const sharedSku = sharedSkus[turn % sharedSkus.length] as string
  return [
    async (send) => {
      created = await send('POST', '/v2/products', { sku, name: sku, categories: [{ name: `Of ${sku}` }] })
    },
    async (send) => {
      shared = await send('PUT', `/v2/products/by-sku/${sharedSku}`, {
        name: sku,
        categories: [{ name: 'Kept' }],
      })
    },
    (send) => of(created, (id) => send('PATCH', `/v2/products/${id}`, { name: `${sku} again` })),
    (send) => of(shared, (id) => send('PATCH', `/v2/products/${id}`, { attributes: { by: sku } })),
    (send) =>
      of(shared, (id) => send('POST', `/v2/products/${id}/inventory/adjust`, { delta: 2, reason: sku })),
    (send) =>
      of(created, (id) =>
        send('PUT', `/v2/products/${id}`, { sku, name: `${sku} whole`, categories: [{ name: `Of ${sku}` }] }),
      ),
    (send) => of(created, (id) => send('POST', `/v2/products/${id}/revert`, { version: 1 })),
    (send) => send('POST', `/v2/products/bulk${turn % 2 === 0 ? '' : '?on_error=abort'}`, pushed(sku)),
    async (send) => {
      proposal = await send('POST', '/v2/proposals', [{ sku: sharedSku, name: `${sku} proposed` }])
    },
    (send) => of(proposal, (id) => send('POST', `/v2/proposals/${id}/apply`, {})),
    (send) => merge(send, created, shared),
  ]
}

function pushed(sku: string): object[] {
  return [...sharedSkus, `${sku}-a`, `${sku}-b`].map((one) => ({ sku: one, name: `${sku} pushed` }))
}

async function merge(send: Send, created: Result, shared: Result): Promise<void> {
  const [from, into] = [created?.categories?.[0]?.id, shared?.categories?.[0]?.id]
  if (from !== undefined && into !== undefined) await send('POST', `/v2/categories/${from}/merge`, { into })
}
