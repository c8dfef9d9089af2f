import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { beforeAll, expect, test } from 'vitest'
import { defaultScopes } from '../src/model/scopes.ts'
import { sharedTestService, type Tenant, type TestService } from './harness.ts'

type Reference = { $ref?: string }
type Part = { content?: Record<string, { schema?: Reference & { items?: Reference } }> }
type Operation = {
  operationId: string
  description?: string
  security: object[]
  requestBody?: Part
  responses: Record<string, Part>
}

let service: TestService
let shop: Tenant
// biome-ignore lint/suspicious/noExplicitAny: the document is read at many depths
let document: any
// biome-ignore lint/suspicious/noExplicitAny: each example has its own shape
let examples: Record<string, any>
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant({ plan: 'pro', scopes: defaultScopes })
  document = (await service.call('/openapi.json')).body
  const shapes = Object.entries<{ examples?: unknown[] }>(document.components.schemas)
  examples = Object.fromEntries(
    shapes.flatMap(([name, shape]) => shape.examples?.map((one) => [name, one]) ?? []),
  )
})

test('every example is valid under its schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(document, 'api')
  for (const [name, example] of Object.entries(examples)) {
    const validate = ajv.compile({ $ref: `api#/components/schemas/${name}` })
    expect(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true)
  }
  expect(Object.keys(examples).length).toBeGreaterThanOrEqual(72)
})

test('the description of a pattern continues "must be" in its error message', () => {
  const descriptions: string[] = []
  JSON.stringify(document.components.schemas, (_key, schema) => {
    if (typeof schema?.pattern === 'string') descriptions.push(schema.description)
    return schema
  })
  expect(descriptions.length).toBeGreaterThan(20)
  expect(descriptions.filter((text) => !/^[a-z]/.test(text))).toEqual([])
})

test('every JSON body and response is a named shape with an example, and every operation is described', () => {
  const parts = Object.values(document.paths).flatMap((item) => Object.values(item as object))
  const operations: Operation[] = parts.filter((part) => part.operationId !== undefined)
  expect(operations.length).toBeGreaterThan(30)
  expect(operations.filter(({ description = '' }) => description.length < 10)).toEqual([])
  for (const { operationId, requestBody = {}, responses } of operations.filter(
    ({ security }) => security.length > 0,
  ))
    for (const { content = {} } of [requestBody, ...Object.values(responses)])
      for (const [type, { schema = {} }] of Object.entries(content)) {
        if (!/^application\/([a-z-]+\+)?json$/.test(type)) continue
        const name = (schema.$ref ?? schema.items?.$ref)?.split('/').at(-1)
        expect(Object.keys(examples), `${operationId} ${type}`).toContain(name)
      }
})

test('the service accepts and returns the examples, in order', async () => {
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await shop.call(`/v2${path}`, { method, body })
    expect(response.status, `${method} ${path}: ${response.text}`).toBeLessThan(300)
    return response.body
  }
  const like = (name: string, actual: unknown) =>
    expect(neutral(actual), name).toEqual(neutral(examples[name]))

  like('Category', await send('POST', '/categories', examples['CategoryInput']))
  const product = await send('POST', '/products', examples['ProductCreate'])
  like('ProductDetail', product)
  like('ListedProductPage', await send('GET', '/products'))
  like('ProductFacets', await send('GET', '/products/facets?facets=color'))
  const own = `/products/${product.id}`
  like('Inventory', await send('POST', `${own}/inventory/adjust`, examples['StockAdjustment']))
  like('InventoryAdjustments', await send('GET', `${own}/inventory/adjustments`))
  await send('PATCH', own, examples['ProductPatch'])
  like('EventPage', await send('GET', '/events?types=product.stock_changed&limit=1'))
  like('ProductHistory', await send('GET', `${own}/history`))
  await send('PUT', '/products/by-sku/MUG-400-SAND', examples['ProductPut'])
  like('PushAnswer', await send('POST', '/products/bulk', [examples['ProductPush']]))
  like('Problem', (await shop.call('/v2/products', { method: 'POST', body: examples['ProductCreate'] })).body)

  const lines = [
    { sku: 'MUG-300-SAND', price: 13.9 },
    { sku: 'MUG-400-SAND', price: 15 },
  ]
  const proposal = await send('POST', '/proposals?title=Autumn%20prices', lines)
  like('Proposal', proposal)
  like('ProposalPage', await send('GET', '/proposals'))
  const proposed = `/proposals/${proposal.id}`
  await send('POST', `${proposed}/discard`, examples['ProposalDiscard'])
  const open = await send('GET', `${proposed}/lines?state=open`)
  like('ProposalLinePage', open)
  like('ProposalLine', open.results[0])
  await send('POST', `${proposed}/apply`, examples['ProposalApply'])
  await send('POST', `${proposed}/revert`, examples['ProposalRevert'])
  await send('POST', '/proposals/from-filter', examples['ProposalFromFilter'])

  like('CategoryPage', await send('GET', '/categories'))
  const category = (await send('GET', '/categories')).results[0].id
  like('CategoryDetail', await send('GET', `/categories/${category}`))
  like('CategoryTree', await send('GET', '/categories/tree'))
  const other = await send('POST', '/categories', { name: 'Cups' })
  await send('PATCH', `/categories/${other.id}`, examples['CategoryPatch'])
  like('CategoryMerged', {
    ...(await send('POST', `/categories/${other.id}/merge`, {
      ...examples['CategoryMerge'],
      into: category,
    })),
    into: examples['CategoryMerged'].into,
  })
  like('QualityPreview', await send('POST', '/quality-rules/preview', examples['QualityRulesInput']))
  like('QualityRules', {
    ...(await send('PUT', '/quality-rules', examples['QualityRulesReplace'])),
    progress: examples['QualityRules'].progress,
  })

  like('AttributePreview', await send('POST', '/attributes/preview', examples['AttributeDefinitionInput']))
  like('AttributeDefinition', await send('POST', '/attributes', examples['AttributeDefinitionInput']))
  like('AttributeDefinitionPage', await send('GET', '/attributes'))
  like('AttributeSuggestions', await send('GET', '/attribute-suggestions'))
  await send('PATCH', '/attributes/material', examples['AttributeDefinitionPatch'])
  like('AttributeDefinitionsPut', await send('PUT', '/attributes', examples['AttributeDefinitionSet']))

  const prompt = await send('POST', '/prompts', examples['PromptCreate'])
  like('Prompt', prompt)
  const its = `/prompts/${prompt.id}`
  like('PromptVersionDetail', await send('POST', `${its}/versions`, examples['PromptVersionCreate']))
  like('PromptVersions', await send('GET', `${its}/versions`))
  like('PromptDiff', await send('GET', `${its}/diff`))
  like('PromptLabel', await send('PUT', `${its}/labels/production`, examples['PromptLabelTarget']))
  like('PromptLabelMovePage', await send('GET', `${its}/label-moves`))
  const render = { ...examples['PromptRender'], product_id: product.id }
  like('RenderedPrompt', await send('POST', `${its}/render`, render))
  const provenance = { prompt_id: prompt.id, version_number: '1.1.0' }
  await send('PATCH', own, { name: 'Stoneware mug for 0.3 l', provenance })
  const { count, results } = await send('GET', `${its}/outcomes`)
  // The product may or may not have been rescored before.
  const score_change = examples['PromptOutcomes'].results[0]?.score_change
  like('PromptOutcomes', { count, results: [{ ...results[0], score_change }] })
  like('PromptPage', await send('GET', '/prompts'))
  await send('PATCH', its, examples['PromptPatch'])
  await send('POST', `${own}/revert`, examples['ProductRevert'])
  await send('PUT', own, { ...examples['ProductReplace'], attributes: {} })
  like('WebhookWithSecret', {
    ...(await send('POST', '/webhooks', { ...examples['WebhookCreate'], from: '0' })),
    lag_seconds: 0,
    secret: examples['WebhookWithSecret'].secret,
  })
  const webhooks = await send('GET', '/webhooks')
  const webhook = `/webhooks/${webhooks.results[0].id}`
  await send('PATCH', webhook, examples['WebhookPatch'])
  await send('POST', `${webhook}/rotate`, examples['WebhookRotate'])
  await send('POST', `${webhook}/replay`, examples['WebhookReplay'])
  like('WebhookRetried', {
    ...(await send('POST', `${webhook}/parked/retry`, examples['WebhookParkedRetry'])),
    retrying: 1,
  })
  await send('DELETE', webhook)
  like('Project', { ...(await send('GET', '/project')), name: examples['Project'].name })
})

test('the example of an AI provider can be connected, and is the example of the list', async () => {
  const { call } = await service.tenant()
  const put = await call('/v2/ai-providers/models', { method: 'PUT', body: examples['AiProviderPut'] })
  expect(neutral(put.body)).toEqual(neutral(examples['AiProvider']))
  const { body } = await call('/v2/ai-providers')
  expect(neutral(body)).toEqual(neutral(examples['AiProviderPage']))
})

test('a copy of the example product is the example of a duplicate', async () => {
  const { call } = await service.tenant()
  for (const sku of ['MUG-300-SAND', 'MUG-300-BEIGE'])
    await call('/v2/products', {
      method: 'POST',
      body: { ...examples['ProductCreate'], categories: [], sku },
    })
  const { body } = await call('/v2/products/duplicates')
  expect(neutral(body)).toEqual(neutral(examples['DuplicatePage']))
})

/** Without values that differ between projects and times. */
function neutral(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"TIME"')
    .replaceAll(/"(id|project|product_id|existing_id)":\d+/g, '"$1":0')
    .replaceAll(/belongs to product \d+/g, 'belongs to product N')
    .replaceAll(/"(cursor|head)":"[^"]+"/g, '"$1":"C"')
    .replaceAll(/evt_\w+/g, 'evt')
    .replaceAll(/"request_id":"[^"]+"/g, '"request_id":"R"')
  return JSON.parse(text)
}
