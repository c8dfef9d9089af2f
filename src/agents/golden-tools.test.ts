import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type TestService } from '../../test/harness.ts'
import type { Scope } from '../model/scopes.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

/** Each scope, and the golden file of its tools. Wider scopes have the tools of the scope that they include. */
const files: Partial<Record<Scope, string>> = {
  'products:read': 'products-read',
  'products:propose': 'products-propose',
  'products:write': 'products-propose',
  'prompts:read': 'prompts-read',
  'prompts:write': 'prompts-read',
  'ai:run': 'ai-run',
  'ai:manage': 'ai-run',
}

test.each(Object.entries(files))(
  'a token with the scope %s has the tools of golden/%s.txt',
  async (scope, file) => {
    const { token } = await service.tenant({ scopes: [scope as Scope] })
    const response = await fetch(new URL('/mcp', service.url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    })
    const [, data = ''] = /^data: (.*)$/m.exec(await response.text()) ?? []
    const { tools } = (JSON.parse(data) as { result: { tools: object[] } }).result
    await expect(`${JSON.stringify(tools, null, 2)}\n`).toMatchFileSnapshot(`golden/${file}.txt`)
  },
)
