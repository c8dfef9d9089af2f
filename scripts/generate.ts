import { readFileSync, writeFileSync } from 'node:fs'
import { openApiDocument } from '../src/openapi-document.ts'
import { problems } from '../src/platform/http/problems.ts'
import { commandsPage } from './commands-page.ts'
import { decisionsPage } from './decisions-page.ts'
import { replaceGeneratedPart } from './generated-part.ts'
import { limitsTables } from './limits-tables.ts'
import { noticesPage } from './notices-page.ts'
import { routesPage } from './routes-page.ts'
import { settingsTable } from './settings-table.ts'
import { root } from './tree.ts'

/** Documents that are generated from the code. With --check they are only compared, so that a stale one fails the build. */
const openApi = await openApiDocument()
const documents: Record<string, string> = {
  'docs/openapi.json': `${JSON.stringify(openApi, null, 2)}\n`,
  'docs/routes.md': routesPage(openApi),
  'docs/errors.md': errorsPage(),
  'docs/configure.md': replaceGeneratedPart(read('docs/configure.md'), 'Settings', settingsTable()),
  'docs/operations.md': replaceGeneratedPart(read('docs/operations.md'), 'Limits', await limitsTables()),
  'docs/commands.md': await commandsPage(),
  'docs/decisions/README.md': decisionsPage(),
  'THIRD-PARTY-NOTICES.md': noticesPage(),
}

for (const [name, text] of Object.entries(documents)) {
  if (!process.argv.includes('--check')) writeFileSync(root + name, text)
  else if (read(name) !== text) {
    console.error(`${name} is stale; run "npm run generate" and commit it`)
    process.exitCode = 1
  }
}

function read(name: string): string {
  try {
    return readFileSync(root + name, 'utf8')
  } catch {
    return ''
  }
}

function errorsPage(): string {
  const rows = Object.entries(problems).map(
    ([code, { status, title, detail }]) => `| ${status} | \`${code}\` | ${title} | ${detail} |`,
  )
  return `# Errors

Generated from \`src/platform/http/problems.ts\` by \`npm run generate\`.

Every error is \`application/problem+json\` (RFC 9457):

\`\`\`json
{
  "type": "/errors/invalid_body",
  "title": "Invalid body",
  "status": 422,
  "detail": "Correct the fields named in errors.",
  "code": "invalid_body",
  "request_id": "0b5b4d3c-5a3e-4c55-9f0f-2d3b6f4f7a10",
  "errors": [{ "pointer": "/price", "code": "too_many_decimals", "message": "must have at most 4 decimals" }]
}
\`\`\`

Branch on \`code\`; \`detail\` is for people. \`errors\` lists every error in the input: \`pointer\` is a JSON pointer
into the body, and \`parameter\` names a query parameter. Codes that start with \`duplicate_\` include
\`existing_id\`, the ID of the conflicting resource. Responses with status 429 and 503 include \`Retry-After\`.

| Status | Code | Title | What to do |
|---|---|---|---|
${rows.join('\n')}
`
}
