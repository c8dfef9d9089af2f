import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type TestService } from '../../test/harness.ts'
import { sendMessage } from '../../test/requests/agent-client.ts'
import { type Scope, scopes } from '../model/scopes.ts'
import { agentLimits } from './limits.ts'

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

async function listTools(scopes: Scope[]) {
  const { token } = await service.tenant({ scopes })
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const response = await sendMessage(service, message, { authorization: `Bearer ${token}` })
  const [, data = ''] = /^data: (.*)$/m.exec(await response.text()) ?? []
  return { data, tools: (JSON.parse(data) as { result: { tools: object[] } }).result.tools }
}

test.each(Object.entries(files))(
  'a token with the scope %s has the tools of golden/%s.txt',
  async (scope, file) => {
    const { tools } = await listTools([scope as Scope])
    await expect(`${JSON.stringify(tools, null, 2)}\n`).toMatchFileSnapshot(`golden/${file}.txt`)
  },
)

test('the list of all tools is as short as any response', async () => {
  const { data, tools } = await listTools([...scopes])
  expect(tools).toHaveLength(15)
  expect(Buffer.byteLength(data)).toBeLessThanOrEqual(agentLimits.responseBytes)
})
