import type { Tenant, TestResponse } from './harness.ts'
import { pdfOf, upload } from './media/upload.ts'

/** The IDs of one object of each kind. */
export type Samples = Record<string, number | string>

/** Creates the objects under an API prefix or the console URL of a project. */
export async function createSamples(call: Tenant['call'], base: string): Promise<Samples> {
  const post = (path: string, body: object) => call(`${base}/${path}`, { method: 'POST', body })
  // A second product keeps the category in use, whatever the tests do to the first.
  await post('products', { sku: 'K', name: 'K', categories: [{ name: 'C' }] })
  const { body: product } = await post('products', { sku: 'S', name: 'N', categories: [{ name: 'C' }] })
  await post('attributes', { name: 'sample', type: 'text' })
  await call(`${base}/views/sample`, { method: 'PUT', body: { label: 'Sample' } })
  const { body: prompt } = await post('prompts', { name: 'P', prompt_text: 'T' })
  await labelSample(call, base, prompt.id)
  const { body: proposal } = await post('proposals', [{ sku: 'PROPOSED', name: 'N' }] as object)
  const { body: webhook } = await post('webhooks', {
    url: 'https://receiver.invalid/',
    types: ['webhook.disabled'],
  })
  await call(`${base}/ai-providers/sample`, { method: 'PUT', body: validBodies['PUT /ai-providers/:name'] })
  // A document, because making the thumbnails of an image would change its row later.
  const { body: asset } = await upload({ call }, pdfOf(100), 'application/pdf', base)
  return {
    assets: asset.id,
    webhooks: webhook.id,
    proposals: proposal.id,
    products: product.id,
    categories: product.categories[0].id,
    prompts: prompt.id,
  }
}

/** A route removes it, under both prefixes. */
function labelSample(call: Tenant['call'], base: string, promptId: number): Promise<TestResponse> {
  const body = { version_number: '1.0.0' }
  return call(`${base}/prompts/${promptId}/labels/sample`, { method: 'PUT', body })
}

/** The URL of a route, with the names of the samples. */
export function sampleAddress(url: string, id: number | string): string {
  return url
    .replace(':id', url.includes('/assets/:id') && id === 1 ? `sha256:${'0'.repeat(64)}` : String(id))
    .replace(':sku', 'S')
    .replace(':version_number', '1.0.0')
    .replace(':label', 'sample')
    .replace(':name', 'sample')
    .replace(':code', 'sample')
    .replace(':line', '1')
}

/** The required query of a read. */
export function requiredQuery(url: string): string {
  if (url.endsWith('/products/facets')) return '?facets=color'
  return url.endsWith('/prompts/:id/diff') ? '?from=1.0.0&to=1.0.0' : ''
}

/** A valid body for every route that takes one, so that only the tested part is wrong. */
export const validBodies: Record<string, object> = {
  'POST /products': { sku: 'BODY', name: 'Body' },
  // An address that the service never connects to.
  'POST /assets/from-url': { url: 'https://127.0.0.1/lamp.jpg' },
  'POST /products/bulk': [{ sku: 'BODY', name: 'Body' }],
  'PATCH /products/:id': { name: 'Body' },
  'PUT /products/:id': { sku: 'S', name: 'Body' },
  'PUT /products/by-sku/:sku': { name: 'Body' },
  'POST /products/:id/revert': { version: 1 },
  'POST /products/:id/inventory/adjust': { delta: 1, reason: 'Count' },
  'PUT /quality-rules': { rules: [{ code: 'priced', kind: 'price_present', points: 1 }] },
  'POST /proposals': [{ sku: 'BODY', name: 'Body' }],
  'POST /proposals/from-filter': { filter: 'sku=S', edits: [{ field: 'price', op: 'set', value: 1 }] },
  'POST /proposals/:id/revert': {},
  'POST /proposals/:id/apply': {},
  'POST /proposals/:id/discard': {},
  'PATCH /proposals/:id/lines/:line': { patch: { name: 'Body' } },
  'POST /attributes/preview': { name: 'color', type: 'text' },
  'POST /quality-rules/preview': { rules: [{ code: 'priced', kind: 'price_present', points: 1 }] },
  'POST /categories': { name: 'Body' },
  'PATCH /categories/:id': { name: 'Body' },
  'POST /categories/:id/merge': { into: 1 },
  'POST /webhooks': { url: 'https://receiver.invalid/body' },
  'PATCH /webhooks/:id': { types: ['product.*'] },
  'POST /webhooks/:id/rotate': {},
  'POST /webhooks/:id/replay': { from: '0' },
  'POST /webhooks/:id/enable': {},
  'POST /webhooks/:id/parked/retry': {},
  'PUT /ai-providers/:name': {
    // An address that the service never connects to.
    ...{ kind: 'openai-compatible', base_url: 'https://models.invalid/v1', currency: 'EUR' },
    models: [{ name: 'small', input_price: 0, output_price: 0, max_output_tokens: 100 }],
  },
  'PUT /views/:code': { label: 'Body' },
  'POST /attributes': { name: 'body', type: 'text' },
  'PATCH /attributes/:name': { label: 'Body' },
  'PUT /attributes': { attributes: [] },
  'POST /prompts': { name: 'Body', prompt_text: 'Text' },
  'PATCH /prompts/:id': { description: 'Other' },
  'POST /prompts/:id/versions': { prompt_text: 'T' },
  'POST /prompts/:id/render': {},
  'POST /prompts/:id/runs': { filter: '', write: ['description'], provider: 'none', model: 'none' },
  'POST /runs/:id/raise': { amount: 2 },
  'PUT /prompts/:id/labels/:label': { version_number: '1.0.0' },
}
