import { strings } from './strings.ts'

type Settings = { place: string; code: string; json?: boolean }
type AgentClient = { client: string; settings: (urls: Urls) => Settings[] }
/** The endpoint for agents, and the service itself. */
export type Urls = { endpoint: string; service: string }

const header = 'Authorization'
const bearer = (token: string) => `Bearer ${token}`
/** How settings of VS Code and Cursor refer to a value. */
const reference = (name: string) => `\${${name}}`
const json = (value: object) => JSON.stringify(value, null, 2)

const program = ({ service }: Urls) => ({ command: 'catalog', args: ['mcp', '--url', service] })

const vsCode = ({ endpoint }: Urls) => ({
  inputs: [{ type: 'promptString', id: 'catalog-token', description: 'Catalog token', password: true }],
  servers: {
    catalog: { type: 'http', url: endpoint, headers: { [header]: bearer(reference('input:catalog-token')) } },
  },
})

const cursor = ({ endpoint }: Urls) => ({
  mcpServers: { catalog: { url: endpoint, headers: { [header]: bearer(reference('env:CATALOG_TOKEN')) } } },
})

const desktop = (urls: Urls) => ({
  mcpServers: { catalog: { ...program(urls), env: { CATALOG_TOKEN: 'cat_…' } } },
})

const claudeCode = ({ endpoint }: Urls) =>
  `claude mcp add --transport http catalog ${endpoint} \\\n  --header "${header}: ${bearer('$CATALOG_TOKEN')}"`

const codex = ({ endpoint }: Urls) =>
  `[mcp_servers.catalog]\nurl = "${endpoint}"\nbearer_token_env_var = "CATALOG_TOKEN"`

/** In the formats that the clients document. The browser tests read each of these. */
export const agentClients: AgentClient[] = [
  { client: 'Claude Code', settings: (urls) => [{ place: strings.places.command, code: claudeCode(urls) }] },
  {
    client: 'VS Code',
    settings: (urls) => [{ place: strings.places.vsCode, code: json(vsCode(urls)), json: true }],
  },
  {
    client: 'Cursor',
    settings: (urls) => [{ place: strings.places.cursor, code: json(cursor(urls)), json: true }],
  },
  { client: 'Codex', settings: (urls) => [{ place: strings.places.codex, code: codex(urls) }] },
  {
    client: 'Claude Desktop',
    settings: (urls) => [{ place: strings.places.desktop, code: json(desktop(urls)), json: true }],
  },
  {
    client: 'Other clients',
    settings: (urls) => [
      { place: strings.places.url, code: `${urls.endpoint}\n${header}: ${bearer('cat_…')}` },
      { place: strings.places.program, code: `CATALOG_TOKEN=cat_… catalog mcp --url ${urls.service}` },
    ],
  },
]
