import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, inject, onTestFinished, test } from 'vitest'
import { connectionUrl } from '../../../test/database/test-database.ts'
import { sharedTestService } from '../../../test/harness.ts'
import { catalog, environment, preloading, program, serve } from '../../../test/processes/catalog-process.ts'

/** Reports when the protocol library is loaded, from the sources or from the bundle. */
const hooks = `import { registerHooks } from 'node:module'
  registerHooks({ load(url, context, next) {
    if (/serve-agents|modelcontextprotocol/.test(url)) console.error('loaded', url)
    return next(url, context)
  } })`

test('a desktop client starts catalog mcp; the service loads the protocol at its first message, not before', async () => {
  const { token, call } = await (await sharedTestService()).tenant()
  await call('/v2/products', { method: 'POST', body: { sku: 'MUG', name: 'Mug' } })
  const { url, stderr } = await serve([], {
    DATABASE_URL: connectionUrl(inject('connection')),
    ...preloading(hooks),
  })
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${url}/v2/products`, { headers })).status).toBe(200)
  expect((await fetch(`${url}/mcp`, { headers })).status).toBe(405)
  expect(stderr()).not.toContain('loaded')

  const client = new Client({ name: 'desktop', version: '1' })
  const transport = new StdioClientTransport({
    command: program,
    args: ['mcp', '--url', url],
    env: environment({ CATALOG_TOKEN: token }) as Record<string, string>,
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const found = await client.callTool({ name: 'search_products', arguments: {} })
  expect(found.structuredContent).toMatchObject({ count: 1, untrusted: { results: [{ sku: 'MUG' }] } })
  await expect.poll(stderr).toContain('loaded')
})

test('catalog mcp sends a token only over https, or to this machine', async () => {
  const { code, stderr } = await catalog(['mcp', '--url', 'http://catalog.example'], {
    CATALOG_TOKEN: 'cat_x',
  })
  expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('must be an https URL')])
  expect(code).not.toBe(0)
  const withPassword = await catalog(['mcp', '--url', 'https://user:secret@catalog.example'], {
    CATALOG_TOKEN: 'cat_x',
  })
  expect(withPassword.stderr).toContain('must not contain a user name')
  expect(withPassword.stderr).not.toContain('secret')
})
