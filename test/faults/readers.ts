import type { Serving } from '../processes/catalog-process.ts'
import { bearer } from '../processes/served-shop.ts'

export const served = '200, Retry-After: null'
export const away = '503, Retry-After: 2'

export function read({ url }: Serving, token: string): Promise<Response> {
  return fetch(`${url}/v2/products`, { headers: bearer(token) })
}

/** Ten clients that read without a pause, and the distinct responses. */
export function startReaders(serving: Serving, token: string) {
  const seen = new Set<string>()
  let isBusy = true
  const clients = Array.from({ length: 10 }, async () => {
    while (isBusy) {
      const { status, headers } = await read(serving, token)
      seen.add(`${status}, Retry-After: ${headers.get('retry-after')}`)
    }
  })
  const end = async () => {
    isBusy = false
    await Promise.all(clients)
  }
  return { seen, end }
}
