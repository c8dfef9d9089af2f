import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type TestService } from '../../test/harness.ts'
import { forwardMessages } from './forward-messages.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

/** Sends lines and returns the lines that come back. */
async function forwarded(lines: string[], token: string, url = service.url) {
  const input = new PassThrough()
  const output = new PassThrough()
  const done = forwardMessages(input, output, { url: new URL('/mcp', url), token })
  input.end(lines.join('\n'))
  await done
  output.end()
  const responses = (await text(output)).trim()
  return responses === '' ? [] : responses.split('\n').map((line) => JSON.parse(line))
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'desktop', version: '1' } },
}
const modern = {
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: {
    name: 'search_products',
    arguments: {},
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'desktop', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
}

test('a desktop client of either protocol reaches the service, and notifications get no response', async () => {
  const { token } = await service.tenant()
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const responses = await forwarded(
    [initialize, notification, modern].map((one) => JSON.stringify(one)),
    token,
  )
  expect(responses.toSorted((one: { id: number }, other: { id: number }) => one.id - other.id)).toMatchObject(
    [
      { id: 1, result: { serverInfo: { name: 'catalog-service' } } },
      { id: 2, result: { structuredContent: { count: 0 } } },
    ],
  )
})

test('a rejected token, an unreachable service and a malformed line become errors of the protocol', async () => {
  const line = JSON.stringify(initialize)
  expect(await forwarded([line], 'cat_wrong')).toMatchObject([
    { id: 1, error: { message: expect.stringContaining('returned 401') } },
  ])
  const unreachable = await forwarded([line], 'cat_wrong', 'http://127.0.0.1:9')
  expect(unreachable).toMatchObject([
    { id: 1, error: { message: expect.stringContaining('did not respond') } },
  ])
  expect(await forwarded(['{"jsonrpc"'], 'cat_wrong')).toMatchObject([{ id: null, error: { code: -32700 } }])
  expect(await forwarded([`[${line}]`], 'cat_wrong')).toMatchObject([{ id: null, error: { code: -32600 } }])
})
