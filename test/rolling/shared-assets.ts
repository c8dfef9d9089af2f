import { expect } from 'vitest'
import { drawnPng } from '../media/drawn-png.ts'
import { bearer } from '../processes/served-shop.ts'

type Send = (
  method: string,
  path: string,
  body: object,
) => Promise<{ media: { url: string; asset?: string }[] }>

function sender(url: string, token: string): Send {
  return async (method, path, body) => {
    const headers = { ...bearer(token), 'content-type': 'application/json' }
    const response = await fetch(`${url}/v2${path}`, { method, headers, body: JSON.stringify(body) })
    expect([path, response.status < 300]).toEqual([path, true])
    return response.json() as ReturnType<Send>
  }
}

/** The older release shows a product with an asset, changes it, and keeps the asset. */
export async function expectSharedAssets(older: string, newer: string, token: string): Promise<void> {
  const headers = { ...bearer(token), 'content-type': 'image/png' }
  const uploaded = await fetch(`${newer}/v2/assets`, { method: 'POST', headers, body: drawnPng() })
  expect(uploaded.status).toBe(201)
  const { id: asset, url } = (await uploaded.json()) as { id: string; url: string }
  const [ofOlder, ofNewer] = [sender(older, token), sender(newer, token)]
  const at = '/products/by-sku/PICTURED'
  await ofNewer('PUT', at, { name: 'Pictured', media: [{ asset }] })
  const shown = await fetch(`${older}/v2${at}`, { headers: bearer(token) })
  const { id, media } = (await shown.json()) as { id: number; media: { url: string }[] }
  expect(media.map((item) => new URL(item.url, newer).pathname)).toEqual([new URL(url).pathname])
  expect((await ofOlder('PATCH', `/products/${id}`, { price: 3 })).media).toHaveLength(1)
  // Clients that read from one release may write to the other.
  const written = await ofNewer('PATCH', `/products/${id}`, { media })
  expect(written.media).toEqual([expect.objectContaining({ asset, url })])
}
