import { expect, test } from 'vitest'
import { sharedTestService } from '../../../test/harness.ts'
import { version } from '../../platform/version.ts'

test('Catalog-Version is on every response to a valid token, also from memory, and on no other', async () => {
  const service = await sharedTestService()
  const shop = await service.tenant()
  const sent = async (path: string, headers: Record<string, string> = {}) =>
    (await shop.call(path, { headers })).headers.get('catalog-version')
  await shop.call('/v2/products', { method: 'POST', body: { sku: 'A', name: 'A' } })
  // The first reads fill the cache; later ones come from it, through the framework (with an origin) or before it.
  for (let read = 0; read < 4; read += 1) expect(await sent('/v2/products')).toBe(version)
  expect(await sent('/v2/products', { origin: 'https://shop.example' })).toBe(version)
  const { headers } = await shop.call('/v2/products')
  expect(await sent('/v2/products', { 'if-none-match': String(headers.get('etag')) })).toBe(version)
  expect(await sent('/v2/products?page=x')).toBe(version)
  for (const [path, token] of [
    ['/v2/products', undefined],
    ['/v2/products', 'cat_x'],
    ['/readyz', undefined],
  ] as const)
    expect((await service.call(path, { token })).headers.get('catalog-version')).toBeNull()
})
