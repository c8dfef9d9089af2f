import { beforeAll, describe, expect, test } from 'vitest'
import { type Serving, serve } from '../processes/catalog-process.ts'
import { bearer } from '../processes/served-shop.ts'
import { recordFigures } from './figures.ts'
import { createLargeShop, type LargeShop } from './large-shop.ts'
import { type LateResponse, readLate } from './late-reader.ts'
import { peakMemory } from './peak-memory.ts'

let shop: LargeShop
beforeAll(async () => {
  shop = await createLargeShop()
})

function readNormally({ url }: Serving): Promise<Response> {
  return fetch(`${url}/v2/products?page_size=20`, { headers: bearer(shop.token) })
}

/** Responses other than 200 and 503 `too_busy`. */
function unexpected(responses: LateResponse[]): LateResponse[] {
  return responses.filter((response) => response !== '200' && response !== '503 too_busy')
}

const fifty = Array.from({ length: 50 }, (_, index) => index)

describe.skipIf(process.platform !== 'linux')('fault 25: clients that read late', () => {
  test('50 at a time, with products of 1 MB on every route, keep the service under 600 MB and other clients served', async (context) => {
    const service = await serve([], { DATABASE_URL: shop.url })
    const single = await Promise.all(
      shop.ids.map((id) => readLate(service, shop.token, `/v2/products/${id}`)),
    )
    expect(single).toContain('200')
    expect(unexpected(single)).toEqual([])
    const pages = await Promise.all(
      fifty.map(() => readLate(service, shop.token, '/v2/products?expand=detail&page_size=100')),
    )
    expect(pages).toEqual(Array(50).fill('400 page_too_large'))

    const smaller = await Promise.all(
      fifty.map((at) =>
        readLate(service, shop.token, `/v2/products?expand=detail&page_size=7&page=${1 + (at % 8)}`),
      ),
    )
    expect(unexpected(smaller)).toEqual([])
    expect((await readNormally(service)).status).toBe(200)

    const exports = await Promise.all(fifty.map(() => readLate(service, shop.token, '/v2/products/export')))
    expect(exports.filter((response) => response === '200')).toHaveLength(2)
    const changes = await Promise.all(
      fifty.map((at) =>
        readLate(service, shop.token, `/v2/products/${shop.ids[at]}`, 'PATCH', `{"price":${at}}`),
      ),
    )
    expect(unexpected(changes)).toEqual([])
    expect((await readNormally(service)).status).toBe(200)
    expect(peakMemory(service)).toBeLessThan(600)
    const clients = shop.ids.length + 4 * fifty.length
    const notes = [`Maximum memory: ${peakMemory(service)} MB`]
    recordFigures(context, {
      tried: clients,
      of: 'clients that read late',
      survived: clients,
      lost: 0,
      notes,
    })
  })
})
