import { bearer } from '../processes/served-shop.ts'

/** What a client knows of a product: the last acknowledged content, and the content sent after that. */
export type Known = { acknowledged?: Content; sent?: Content }
export type Content = { turn: number; quantity: number }
/** By SKU. */
export type Ledger = Map<string, Known>

type Created = { id: number }
type Request = { method: string; path: string; body: unknown; changes: [sku: string, content: Content][] }

/** Clients that write to their own products until their service is gone. */
export function startWriters(url: string, token: string, names: string[], ledger: Ledger) {
  let acknowledged = 0
  const rejected: string[] = []
  async function send({ method, path, body, changes }: Request): Promise<Created | 'gone' | undefined> {
    for (const [sku, sent] of changes) ledger.set(sku, { ...ledger.get(sku), sent })
    const headers = { ...bearer(token), 'content-type': 'application/json' }
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) }).catch(
      () => undefined,
    )
    if (response === undefined) return 'gone'
    const text = await response.text().catch(() => '')
    // A truncated response acknowledges nothing, and 503 means that the database is gone too.
    const created = response.ok ? parseComplete(text) : undefined
    if (!response.ok && response.status !== 503)
      rejected.push(`${method} ${path}: ${response.status} ${text}`)
    if (created === undefined) return undefined
    for (const [sku, content] of changes) ledger.set(sku, { acknowledged: content })
    acknowledged += 1
    return created
  }

  async function write(name: string): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      const sku = `${name}-${turn}`
      let result = await send(createRequest(sku, turn))
      const later = typeof result === 'object' ? laterRequests(result.id, sku, turn) : []
      // A write without acknowledgment ends the turn; the next turn uses other products.
      for (const request of later) if (typeof result === 'object') result = await send(request)
      if (result === 'gone') return
    }
  }

  const ended = Promise.all(names.map(write))
  return { ended, rejected, acknowledged: () => acknowledged }
}

function parseComplete(text: string): Created | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function product(sku: string, turn: number) {
  return { sku, name: sku, categories: [{ name: `C ${turn % 5}` }], attributes: { turn } }
}

function createRequest(sku: string, turn: number): Request {
  return {
    method: 'POST',
    path: '/api/products',
    body: product(sku, turn),
    changes: [[sku, { turn, quantity: 0 }]],
  }
}

/** A change, a stock adjustment and a small push, every second one atomic. */
function laterRequests(id: number, sku: string, turn: number): Request[] {
  const pushed = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${sku}-${letter}`)
  const change: Request = {
    method: 'PATCH',
    path: `/v2/products/${id}`,
    body: { attributes: { turn: turn + 1 }, categories: [{ name: `C ${(turn + 1) % 5}` }] },
    changes: [[sku, { turn: turn + 1, quantity: 0 }]],
  }
  const movement: Request = {
    method: 'POST',
    path: `/api/products/${id}/inventory/adjust`,
    body: { delta: 3, reason: 'Found' },
    changes: [[sku, { turn: turn + 1, quantity: 3 }]],
  }
  const push: Request = {
    method: 'POST',
    path: `/v2/products/bulk${turn % 2 === 0 ? '' : '?on_error=abort'}`,
    body: pushed.map((one) => product(one, turn)),
    changes: pushed.map((one) => [one, { turn, quantity: 0 }]),
  }
  return [change, movement, push]
}
