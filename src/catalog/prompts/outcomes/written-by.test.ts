import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant } from '../../../../test/harness.ts'

let shop: Tenant
let prompt: number
let other: number
const send = (method: string, path: string, body?: unknown) =>
  shop.call(`/v2${path}`, { method, ...(body !== undefined && { body }) })
const skus = async (query: string) => {
  const { status, body, text } = await send('GET', `/products?${query}`)
  expect(status, text).toBe(200)
  return body.results.map(({ sku }: { sku: string }) => sku)
}

beforeAll(async () => {
  shop = await (await sharedTestService()).tenant()
  prompt = (await send('POST', '/prompts', { name: 'Describe', prompt_text: 'About {{name}}' })).body.id
  other = (await send('POST', '/prompts', { name: 'Colour', prompt_text: 'Of {{name}}' })).body.id
  for (const version_number of ['1.9.0', '1.10.0'])
    await send('POST', `/prompts/${prompt}/versions`, { prompt_text: version_number, version_number })
  const by = (prompt_id: number, version_number: string) => ({ provenance: { prompt_id, version_number } })
  await send('POST', '/products/bulk', [
    { sku: 'OLD', name: 'Old', description: 'D', ...by(prompt, '1.0.0') },
    { sku: 'MIDDLE', name: 'Middle', description: 'D', ...by(prompt, '1.9.0') },
    { sku: 'NEW', name: 'New', description: 'D', ...by(prompt, '1.10.0') },
    { sku: 'BOTH', name: 'Both' },
    { sku: 'BOTH', description: 'D', ...by(prompt, '1.10.0') },
    { sku: 'BOTH', attributes: { color: 'red' }, ...by(other, '1.0.0') },
    { sku: 'GONE', name: 'Gone', ...by(prompt, '1.0.0') },
    { sku: 'GONE', name: 'Written by hand' },
    { sku: 'NONE', name: 'None' },
  ])
})

describe('products by the prompt that wrote them', () => {
  test('are those that still have a value from any version, one version, or versions below one', async () => {
    const list = (query: string) => skus(`written_by_prompt=${prompt}${query}&ordering=id`)
    expect(await list('')).toEqual(['OLD', 'MIDDLE', 'NEW', 'BOTH'])
    expect(await list('&written_by_version=1.10.0')).toEqual(['NEW', 'BOTH'])
    expect(await list('&written_by_version__lt=1.10.0')).toEqual(['OLD', 'MIDDLE'])
    expect(await list('&written_by_version__lt=1.9.0')).toEqual(['OLD'])
    expect(await list('&written_by_version__lt=1.0.0')).toEqual([])
    expect(await list('&written_by_version=1.9.0&written_by_version__lt=1.10.0')).toEqual(['MIDDLE'])
    expect(await list('&written_by_version=1.10.0&written_by_version__lt=1.10.0')).toEqual([])
    expect(await list('&search=both')).toEqual(['BOTH'])
    expect(await skus(`written_by_prompt=${other}`)).toEqual(['BOTH'])
    expect(await skus('written_by_prompt=999999999&written_by_version__lt=9.0.0')).toEqual([])
  })

  test('are also filtered in facets and exports', async () => {
    const query = `written_by_prompt=${prompt}&written_by_version__lt=1.10.0`
    expect((await send('GET', `/products/facets?facets=color&${query}`)).body.count).toBe(2)
    const { text } = await shop.call(`/v2/products/export?${query}`)
    expect(text.match(/OLD|MIDDLE|NEW|BOTH/g)?.sort()).toEqual(['MIDDLE', 'OLD'])
  })

  test('a version without its prompt, or a malformed one, is rejected with the expected form', async () => {
    const rejection = async (query: string) => {
      const { status, body } = await send('GET', `/products?${query}`)
      return [status, ...body.errors.map((error: InputError) => `${error.parameter} ${error.message}`)]
    }
    type InputError = { parameter: string; message: string }
    const needs = 'requires written_by_prompt, the ID of the prompt'
    expect(await rejection('written_by_version=1.0.0')).toEqual([400, `written_by_version ${needs}`])
    expect(await rejection('written_by_version__lt=1.0.0')).toEqual([400, `written_by_version__lt ${needs}`])
    const rule = 'must be three numbers separated by dots, such as 1.2.0'
    expect(await rejection(`written_by_prompt=${prompt}&written_by_version__lt=1.2`)).toEqual([
      400,
      `written_by_version__lt ${rule}`,
    ])
    expect((await rejection('written_by_prompt=describe'))[0]).toBe(400)
  })
})
