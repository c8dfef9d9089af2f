import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { Scope } from '../../src/model/scopes.ts'
import type { TestService } from '../harness.ts'

/** What the agent page of the console gives a token. */
export const agentScopes: Scope[] = ['products:read', 'products:propose', 'prompts:read']

export type Mode = NonNullable<ClientOptions['versionNegotiation']>['mode']
export const eras: { era: string; mode: Mode }[] = [
  { era: '2026-07-28', mode: { pin: '2026-07-28' } },
  { era: '2025', mode: 'legacy' },
]

type Connecting = { path?: string; mode?: Mode } & Pick<ClientOptions, 'capabilities'>

/** The official client, connected to the service. */
export async function connectAgent(
  { url }: Pick<TestService, 'url'>,
  token: string,
  { path = '/mcp', mode = eras[0]?.mode, capabilities = {} }: Connecting = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, {
    capabilities,
    versionNegotiation: { mode },
    inputRequired: { autoFulfill: false },
  } as ClientOptions)
  const transport = new StreamableHTTPClientTransport(new URL(path, url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

export const callTool = async (client: Client, name: string, args: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: args })) as unknown as {
    isError?: boolean
    content: { text: string }[]
    // biome-ignore lint/suspicious/noExplicitAny: each tool has its own content.
    structuredContent: any
  }

/** Posts a message without the official client, which would not send invalid ones. */
export const sendMessage = (
  { url }: Pick<TestService, 'url'>,
  body: unknown,
  headers: Record<string, string> = {},
  path = '/mcp',
) =>
  fetch(new URL(path, url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** The parts of a JSON-RPC response that the tests read. */
// biome-ignore lint/suspicious/noExplicitAny: each method has its own result.
export type Rpc = { result: any; error: { code: number; message: string } }

export const envelope = (capabilities: object = {}) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': capabilities,
})

/** A tool call of 2026-07-28 by a client that opens URLs. */
export async function callAsBrowser(
  service: Pick<TestService, 'url'>,
  token: string,
  params: { name: string } & Record<string, unknown>,
): Promise<Rpc> {
  const _meta = envelope({ elicitation: { url: {} } })
  const response = await sendMessage(
    service,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } },
    {
      authorization: `Bearer ${token}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    },
  )
  return (await response.json()) as Rpc
}
