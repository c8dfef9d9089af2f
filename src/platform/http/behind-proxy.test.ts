import { beforeAll, describe, expect, test } from 'vitest'
import { consoleUser, cookieOf, signIn } from '../../../test/console-user.ts'
import { sharedTestService, startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { tlsCall } from '../../../test/requests/tls-request.ts'

let direct: TestService
let proxied: TestService
let fixed: TestService
let shop: Tenant
beforeAll(async () => {
  direct = await sharedTestService()
  proxied = await startTestService({ behindProxy: true })
  fixed = await startTestService({ behindProxy: true, baseUrl: 'https://catalog.example' })
  shop = await direct.tenant()
  for (const sku of ['A', 'B']) await shop.call('/v2/products', { method: 'POST', body: { sku, name: sku } })
})

/** Through node:http, which lets the test write the Host header. */
async function ask({ url }: TestService, headers: Record<string, string>) {
  const answer = await tlsCall(`${url}/v2/products?page_size=1`, {
    headers: { authorization: `Bearer ${shop.token}`, ...headers },
  })
  return { ...answer, base: String(answer.body.next).split('/v2/')[0] }
}

const forwarded = { 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https' }

describe('behind a proxy', () => {
  test('links begin with what the proxy forwards', async () => {
    expect((await ask(proxied, forwarded)).base).toBe('https://shop.example')
  })

  test('of several hops only the nearest counts; the others come from the client', async () => {
    const { base } = await ask(proxied, {
      'x-forwarded-host': 'forged.example, shop.example',
      'x-forwarded-proto': 'http, https',
    })
    expect(base).toBe('https://shop.example')
  })

  test('a configured base address goes before anything that is sent', async () => {
    const { base } = await ask(fixed, { host: 'forged.example', ...forwarded })
    expect(base).toBe('https://catalog.example')
  })

  test.each([
    { 'x-forwarded-host': 'a b/c' },
    { 'x-forwarded-proto': 'javascript' },
    { 'x-forwarded-proto': 'https://forged.example' },
  ])('%j would shape a link that leads nowhere: 400', async (headers) => {
    expect((await ask(proxied, headers)).status).toBe(400)
  })

  test('responses over TLS make browsers keep using TLS', async () => {
    expect((await ask(proxied, forwarded)).headers['strict-transport-security']).toBe('max-age=31536000')
    const plain = await ask(proxied, { ...forwarded, 'x-forwarded-proto': 'http' })
    expect(plain.headers['strict-transport-security']).toBeUndefined()
  })
})

test('over TLS the cookie of a sign-in is for TLS alone', { tags: 'slow' }, async () => {
  const { email, password } = await consoleUser(direct)
  const answer = await signIn(fixed, email, password)
  expect(answer.headers.getSetCookie()[0]).toMatch(/^__Secure-catalog\.session_token=.*; Secure/)
  const session = await fixed.call('/console/api/session', { headers: { cookie: cookieOf(answer) } })
  expect(session.body.user.email).toBe(email)
})

test('the OpenAPI document is the same, whatever the settings are', { tags: 'slow' }, async () => {
  const [plain, behind] = await Promise.all(
    [direct, fixed].map(async ({ url }) => (await fetch(`${url}/openapi.json`)).text()),
  )
  expect(behind).toBe(plain)
})

test('without --behind-proxy, X-Forwarded-* does not change links', async () => {
  const { base, headers } = await ask(direct, forwarded)
  expect(base).toBe(direct.url)
  expect(headers['strict-transport-security']).toBeUndefined()
})
