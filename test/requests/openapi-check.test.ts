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

/** What an answer would be if a route were wrong. */
function answerWith(status: number, body: unknown, type = 'application/json') {
  return { status, headers: new Headers({ 'content-type': type }), body, text: JSON.stringify(body) }
}

const rightProblem = {
  type: '/errors/not_found',
  title: 'Not found',
  status: 404,
  detail: 'There is none.',
  code: 'not_found',
  request_id: 'a',
}

describe('the check of every answer of the API fails', () => {
  const check = (method: string, path: string, answer: ReturnType<typeof answerWith>) =>
    checkAgainstOpenApi(service.url, method, path, answer)

  test.each([
    ['an address that the document lacks, and that is served', 'GET', '/v2/nothing', answerWith(200, {})],
    ['such an address outside the API', 'GET', '/status', answerWith(200, {})],
    ['an address of the API without its prefix', 'GET', '/products/1', answerWith(200, {})],
    ['a method that it lacks', 'DELETE', '/api/products/1', answerWith(200, {})],
    ['an undeclared status', 'GET', '/v2/products', answerWith(202, {})],
    ['an undeclared content type', 'GET', '/v2/products', answerWith(200, {}, 'text/html')],
    ['an undeclared field', 'GET', '/healthz', answerWith(200, { status: 'ok', extra: 1 })],
    ['a missing field', 'GET', '/healthz', answerWith(200, {})],
    ['an error that is no problem', 'GET', '/v2/nothing', answerWith(404, { message: 'no' })],
    [
      'a problem of no code of ours',
      'GET',
      '/v2/nothing',
      answerWith(404, { ...rightProblem, code: 'odd' }, 'application/problem+json'),
    ],
  ])('for %s', async (_name, method, path, answer) => {
    await expect(check(method, path, answer)).rejects.toThrow()
  })

  test('and passes what is right', async () => {
    await check('GET', '/v2/nothing', answerWith(404, rightProblem, 'application/problem+json'))
    await check('GET', '/errors/not_found', answerWith(200, '', 'text/markdown'))
    const { status, headers, body, text } = await shop.call('/v2/products')
    await check('GET', '/api/products/', { status, headers, body, text })
  })
})

describe("the check of every answer of the console's addresses fails", () => {
  const session = {
    user: { id: 1, email: 'a@b.example', name: 'A', operator: false },
    projects: [],
    project_count: 0,
  }

  test.each([
    ['an address without a route, that is served', '/console/api/nothing', answerWith(200, {})],
    ['an undeclared status', '/console/api/session', answerWith(202, session)],
    ['an undeclared field', '/console/api/session', answerWith(200, { ...session, token: 'x' })],
    ['a missing field', '/console/api/session', answerWith(200, { user: session.user })],
    [
      'a page of products as one product',
      '/console/api/projects/1/products/1',
      answerWith(200, { count: 0 }),
    ],
    ['an error that is no problem', '/console/api/session', answerWith(401, { message: 'no' })],
  ])('for %s', async (_name, path, answer) => {
    await expect(checkAgainstRoute('GET', path, answer)).rejects.toThrow()
  })

  test('and passes what is right', async () => {
    await checkAgainstRoute('GET', '/console/api/session', answerWith(200, session))
    const { status, headers, body, text } = await shop.call('/v2/products')
    await checkAgainstRoute('GET', `/console/api/projects/${shop.project}/products?page=1`, {
      status,
      headers,
      body,
      text,
    })
  })
})
