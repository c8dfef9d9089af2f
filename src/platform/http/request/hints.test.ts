import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

describe('the error for a parameter of another service suggests ours', () => {
  test.each([
    ['name=mug', '"name__icontains" or "search"'],
    ['q=mug', 'write "search"'],
    ['query=mug', 'write "search"'],
    ['offset=20', '"page" or "page_size"'],
    ['limit=10&offset=20', '"page" or "page_size"'],
    ['order=price', 'write "ordering"'],
    ['price=10', 'write "price__gte" or "price__lte"'],
    ['attributes=red', 'an attribute is written attributes__name or attributes[any name]'],
    ['sort=price:desc', 'write ordering=-price'],
    ['sort=price:asc', 'write ordering=price, or ordering=-price'],
    ['ordering=%2Bprice', 'write ordering=price, or ordering=-price'],
    ['ordering=-nme', 'did you mean "name"?'],
    ['color=red', 'if it is an attribute, write attributes__color'],
    ['attributes.color=red', 'an attribute is written attributes__color'],
    ['status=active&status=pending', 'to send several values, use status__in'],
    ['attributes__color=red&attributes__color=blue', 'to send several values, use attributes__color__in'],
    ['category=Garden', 'GET /categories lists category IDs'],
    ['category__in=Garden,Mugs', 'GET /categories lists category IDs'],
    ['constructor=1', 'attributes__constructor'],
    ['statuss=active', 'did you mean "status"?'],
  ])('%s: %s', async (query, hint) => {
    const { status, body } = await shop.call(`/v2/products?${query}`)
    expect([status, body.errors.length]).toEqual([400, 1])
    expect(body.errors[0].message).toContain(hint)
  })

  test('only where it exists: the history of a product has no search, and no attributes', async () => {
    const { body } = await shop.call('/v2/products/1/history?q=mug&color=red')
    for (const { message } of body.errors) {
      expect(message).toContain('; use one of page, page_size')
      expect(message).not.toMatch(/search|attribute/)
    }
    for (const list of ['prompts', 'categories'])
      expect((await shop.call(`/v2/${list}?q=title`)).body.errors[0].message).toContain('write "search"')
  })
})

describe('the errors for the field names of another service suggest ours', () => {
  const right = { sku: 'MUG', name: 'Mug' }
  test.each([
    [{ ...right, type: 'simple' }, '/type', 'did you mean "product_type"?'],
    [{ ...right, prompt_id: 2 }, '/prompt_id', 'write {"provenance": {"prompt_id": …}}'],
    [{ ...right, quantity: 3 }, '/quantity', 'write {"inventory": {"quantity": …}}'],
    [{ ...right, category: 'Mugs' }, '/category', 'did you mean "categories"?'],
    [{ ...right, price: '12.50' }, '/price', 'must be number or null, without quotes: 12.50'],
    [{ ...right, inventory: { tracked: 'true' } }, '/inventory/tracked', 'without quotes: true'],
    [{ ...right, price: 'cheap' }, '/price', /^must be number or null$/],
    [{ ...right, constructor: 1 }, '/constructor', 'is not a field that can be written'],
  ])('%j', async (body, pointer, hint) => {
    const response = await shop.call('/v2/products', { method: 'POST', body })
    expect([response.status, response.body.errors.length]).toEqual([422, 1])
    expect(response.body.errors[0]).toMatchObject({ pointer, message: expect.stringMatching(escaped(hint)) })
  })
})

test('the error for an array instead of a product suggests a push', async () => {
  const body = [{ sku: 'MUG', name: 'Mug' }]
  const responses = [
    await shop.call('/v2/products', { method: 'POST', body }),
    await shop.call('/v2/products/by-sku/MUG', { method: 'PUT', body }),
    await shop.call('/v2/products/1', { method: 'PATCH', body }),
  ]
  for (const { status, body } of responses) {
    expect([status, body.errors]).toMatchObject([422, [{ pointer: '', message: 'must be object' }]])
    expect(body.detail).toContain('POST /products/bulk takes an array')
  }
})

function escaped(hint: string | RegExp): RegExp {
  return typeof hint === 'string' ? new RegExp(RegExp.escape(hint)) : hint
}

test('the error for a SKU instead of an ID suggests the route by SKU', async () => {
  for (const path of ['/products/MUG-1', '/products/MUG-1/history']) {
    const { status, body } = await shop.call(`/v2${path}`)
    expect([status, body.code]).toEqual([404, 'not_found'])
    expect(body.detail).toContain('GET /products/by-sku/{sku}')
  }
  expect((await shop.call('/v2/categories/Garden')).body.detail).toContain('GET /categories lists')
})

test.each(['Token', 'Basic', 'bearer:', ''])(
  'the error for the scheme %j suggests Bearer',
  async (scheme) => {
    const authorization = `${scheme} ${shop.token}`.trim()
    const { status, body, text } = await service.call('/v2/project', { headers: { authorization } })
    expect([status, body.code]).toEqual([401, 'invalid_token'])
    expect(body.detail).toContain('Bearer <API token>')
    expect(text).not.toContain(shop.token)
  },
)
