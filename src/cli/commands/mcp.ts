import { Command } from 'commander'
import { forwardMessages } from '../../agents/forward-messages.ts'
import { clientToken } from '../../config.ts'
import { isLoopbackName } from '../../platform/http/request/loopback.ts'

const help = `
The token comes from CATALOG_TOKEN. Use one that can only read and propose.

Example, in the settings of a desktop client:
  {"command": "catalog", "args": ["mcp", "--url", "https://catalog.example.com"],
   "env": {"CATALOG_TOKEN": "cat_…"}}`

/** For desktop clients that start a program instead of calling a URL. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description('Connect an agent that speaks MCP over standard input and output')
    .requiredOption('--url <url>', 'URL of the service: https, or http on this machine', checkUrl)
    .addHelpText('after', help)
    .action(async ({ url }: { url: URL }) => {
      await forwardMessages(process.stdin, process.stdout, {
        url: new URL('/mcp', url),
        token: clientToken(),
      })
    })
}

/** The token must not cross a network in plain text. */
function checkUrl(text: string): URL {
  const url = URL.parse(text)
  if (url !== null && `${url.username}${url.password}` !== '')
    throw new Error('the URL must not contain a user name or password; the token comes from CATALOG_TOKEN')
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackName(url.hostname))) return url
  throw new Error(
    `"${text}" must be an https URL, or an http URL of this machine such as http://localhost:8080`,
  )
}
