import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { bearer } from '../processes/served-shop.ts'

const clients = 4
/** A pause, so that the clients leave processor time to the starting service. */
const restMilliseconds = 40

type Result = { status: number; id?: number }

/** Clients that read, create, change and push. `move` sends them to another service, like a load balancer. */
export function startTraffic(first: string, token: string) {
  let url = first
  let running = true
  let answered = 0
  const failures: string[] = []
  const created: string[] = []
  const categories: number[] = []

  async function call(method: string, path: string, body?: unknown): Promise<Result> {
    const response = await fetch(`${url}/v2/${path}`, {
      method,
      headers: { ...bearer(token), 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status >= 300) failures.push(`${method} /${path}: ${response.status} ${text}`)
    answered += 1
    await sleep(restMilliseconds)
    return { status: response.status, id: JSON.parse(text).id }
  }

  async function client(number: number): Promise<void> {
    for (let turn = 0; running; turn += 1) {
      const sku = `T-${number}-${turn}`
      const { status, id } = await call('POST', 'products', { sku, name: sku })
      if (status === 201) created.push(sku)
      await call('PATCH', `products/${id}`, { price: turn })
      await call('GET', `products/${id}/history`)
      await call('POST', 'products/bulk', [{ sku, name: `${sku} pushed`, status: 'active' }])
      await call('GET', 'products?status=active&ordering=-price&page_size=5')
      const category = await call('POST', 'categories', { name: `C ${sku}` })
      if (category.id !== undefined) categories.push(category.id)
    }
  }

  const working = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  return {
    created,
    categories,
    failures,
    answered: () => answered,
    move(to: string) {
      url = to
    },
    async end() {
      running = false
      await working
    },
  }
}
