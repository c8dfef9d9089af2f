import { expect, test } from 'vitest'
import { sharedTestService } from '../../../../test/harness.ts'

test('an exported line references other products only by their current SKU', async () => {
  const { call } = await (await sharedTestService()).tenant()
  const post = async (body: object) => (await call('/v2/products', { method: 'POST', body })).body
  const shirt = await post({ sku: 'OLD', name: 'Shirt', product_type: 'configurable' })
  const links = { upsell: [{ id: shirt.id }, { sku: 'LATER' }] }
  await post({ sku: 'SMALL', name: 'Small', parent: { id: shirt.id }, links })
  const components = [{ sku: 'SMALL', quantity: 2, choice: 'Size', default: true }]
  await post({ sku: 'SET', name: 'Set', product_type: 'grouped', components })
  await call(`/v2/products/${shirt.id}`, { method: 'PATCH', body: { sku: 'NEW' } })

  const { text } = await call('/v2/products/export')
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toMatchObject([
    { sku: 'NEW', parent: null, components: [], links: {} },
    { sku: 'SMALL', parent: { sku: 'NEW' }, links: { upsell: [{ sku: 'NEW' }, { sku: 'LATER' }] } },
    { sku: 'SET', components: [{ sku: 'SMALL', quantity: 2, choice: 'Size', default: true }] },
  ])
  // Only its own ID.
  expect(text.replaceAll(/,"id":\d+,"version":\d+\}$/gm, '}')).not.toContain('"id"')
})
