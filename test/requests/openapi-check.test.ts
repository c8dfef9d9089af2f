import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../harness.ts'
import { checkAgainstRoute } from './console-check.ts'
import { checkAgainstOpenApi } from './openapi-check.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

/** A response as an incorrect route would send it. */
function responseWith(status: number, body: unknown, type = 'application/json') {
  return { status, headers: new Headers({ 'content-type': type }), body, text: JSON.stringify(body) }
}

const validProblem = {
  type: '/errors/not_found',
  title: 'Not found',
  status: 404,
  detail: 'Not found.',
  code: 'not_found',
  request_id: 'a',
}

describe('the check of every API response fails', () => {
  const check = (method: string, path: string, response: ReturnType<typeof responseWith>) =>
    checkAgainstOpenApi(service.url, method, path, response)

  test.each([
    ['a served path that the document lacks', 'GET', '/v2/nothing', responseWith(200, {})],
    ['a served path outside the API that the document lacks', 'GET', '/status', responseWith(200, {})],
    ['an API path without its prefix', 'GET', '/products/1', responseWith(200, {})],
    ['a method that the document lacks', 'DELETE', '/api/products/1', responseWith(200, {})],
    ['an undeclared status', 'GET', '/v2/products', responseWith(202, {})],
    ['an undeclared content type', 'GET', '/v2/products', responseWith(200, {}, 'text/html')],
    ['an undeclared field', 'GET', '/healthz', responseWith(200, { status: 'ok', extra: 1 })],
    ['a missing field', 'GET', '/healthz', responseWith(200, {})],
    ['an error that is not a problem', 'GET', '/v2/nothing', responseWith(404, { message: 'no' })],
    [
      'a problem with an unknown code',
      'GET',
      '/v2/nothing',
      responseWith(404, { ...validProblem, code: 'odd' }, 'application/problem+json'),
    ],
  ])('for %s', async (_name, method, path, response) => {
    await expect(check(method, path, response)).rejects.toThrow()
  })

  test('but passes for a correct response', async () => {
    await check('GET', '/v2/nothing', responseWith(404, validProblem, 'application/problem+json'))
    await check('GET', '/errors/not_found', responseWith(200, '', 'text/markdown'))
    const { status, headers, body, text } = await shop.call('/v2/products')
    await check('GET', '/api/products/', { status, headers, body, text })
  })
})

describe('the check of every console response fails', () => {
  const session = {
    user: {
      ...{ id: 1, email: 'a@b.example', name: 'A', operator: false },
      ...{ lacks_second_factor: false, second_factor_reset_at: null },
    },
    projects: [],
    project_count: 0,
  }

  test.each([
    ['a served path without a route', '/console/api/nothing', responseWith(200, {})],
    ['an undeclared status', '/console/api/session', responseWith(202, session)],
    ['an undeclared field', '/console/api/session', responseWith(200, { ...session, token: 'x' })],
    ['a missing field', '/console/api/session', responseWith(200, { user: session.user })],
    [
      'a page of products as one product',
      '/console/api/projects/1/products/1',
      responseWith(200, { count: 0 }),
    ],
    ['an error that is not a problem', '/console/api/session', responseWith(401, { message: 'no' })],
  ])('for %s', async (_name, path, response) => {
    await expect(checkAgainstRoute('GET', path, response)).rejects.toThrow()
  })

  test('but passes for a correct response', async () => {
    await checkAgainstRoute('GET', '/console/api/session', responseWith(200, session))
    const { status, headers, body, text } = await shop.call('/v2/products')
    await checkAgainstRoute('GET', `/console/api/projects/${shop.project}/products?page=1`, {
      status,
      headers,
      body,
      text,
    })
  })
})
