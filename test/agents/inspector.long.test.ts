import { expect, test } from 'vitest'
import { sharedTestService } from '../harness.ts'
import { agentScopes } from '../requests/agent-client.ts'
import { runPackage } from './registry-programs.ts'

const inspector = '@modelcontextprotocol/inspector@2.12.0'

test('mcp-inspector lists and calls the tools', { timeout: 300_000 }, async (context) => {
  const service = await sharedTestService()
  const { token } = await service.tenant({ scopes: agentScopes })
  const inspect = async (...args: string[]) => {
    const header = ['--header', `Authorization: Bearer ${token}`]
    const all = [inspector, '--cli', `${service.url}/mcp`, '--transport', 'http', ...header, ...args]
    const { code, stdout } = await runPackage(context, all, '.')
    expect([code, stdout]).toEqual([0, expect.any(String)])
    return JSON.parse(stdout)
  }
  const { tools } = await inspect('--method', 'tools/list')
  expect(tools.map(({ name }: { name: string }) => name)).toContain('request_apply')
  const called = await inspect('--method', 'tools/call', '--tool-name', 'search_products')
  expect(called.structuredContent).toEqual({ count: 0, next: null, untrusted: { results: [] } })
})
