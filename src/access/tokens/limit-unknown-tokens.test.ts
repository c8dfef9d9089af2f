import { beforeAll, expect, test } from 'vitest'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { rawRequest } from '../../../test/requests/raw-request.ts'
import { revokeTokenRow } from './token.sql.ts'
import { generateToken } from './token-format.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await startTestService({ behindProxy: true })
  shop = await service.tenant()
})

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

/** Sends pipelined requests on one connection; by default, each has a different token that was never issued. */
function send(address: string, times: number, token: () => string = generateToken): Promise<string> {
  const head = (index: number) =>
    `GET /v2/project HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\nAuthorization: Bearer ${token()}\r\nConnection: ${index < times - 1 ? 'keep-alive' : 'close'}\r\n\r\n`
  return rawRequest(service.url, Array.from({ length: times }, (_, index) => head(index)).join(''))
}

async function sendUntilRefused(address: string, token: () => string = generateToken): Promise<string> {
  for (let round = 0; round < 50; round += 1) {
    const responses = await send(address, 200, token)
    if (responses.includes('HTTP/1.1 429')) return responses
    expect(responses).toContain('HTTP/1.1 401')
  }
  throw new Error('10,000 tokens were looked up')
}

test('a client that keeps sending unknown tokens gets 429; other clients and known tokens do not', async () => {
  expect((await shop.call('/v2/project', from('192.0.2.1'))).status).toBe(200)
  const responses = await sendUntilRefused('192.0.2.1')
  expect(responses).toContain('"code":"rate_limited"')
  expect(responses).toMatch(/retry-after: \d+\r\n/i)
  const otherAddress = await service.call('/v2/project', { token: generateToken(), ...from('192.0.2.2') })
  expect(otherAddress.status).toBe(401)
  expect((await shop.call('/v2/project', from('192.0.2.1'))).status).toBe(200)
})

test('all addresses of an IPv6 network share one limit', async () => {
  await sendUntilRefused('2001:db8:1:2::1')
  expect(await send('2001:db8:1:2:ffff::9', 200)).toContain('HTTP/1.1 429')
  expect(await send('2001:db8:1:3::1', 1)).toContain('HTTP/1.1 401')
})

test('a revoked token counts like an unknown one', async () => {
  const { token, tokenId, call } = await service.tenant()
  expect((await call('/v2/project', from('192.0.2.4'))).status).toBe(200)
  await revokeTokenRow(service.database, tokenId)
  await sendUntilRefused('192.0.2.4', () => token)
})
