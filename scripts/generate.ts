import { readFileSync, writeFileSync } from 'node:fs'
import { openApiDocument } from '../src/openapi-document.ts'
import { apiLimitsPage } from './api-limits-page.ts'
import { checkRelease } from './client/check-release.ts'
import { clientOperations } from './client/client-operations.ts'
import { clientTypes } from './client/client-types.ts'
import { fillSamples } from './client/sample-blocks.ts'
import { commandsPage } from './commands-page.ts'
import { decisionsPage } from './decisions-page.ts'
import { errorsPage } from './errors-page.ts'
import { eventsPage } from './events-page.ts'
import { replaceGeneratedPart } from './generated-part.ts'
import { limitsTables } from './limits-tables.ts'
import { noticesPage } from './notices-page.ts'
import { productParametersPage } from './product-parameters-page.ts'
import { routesPage } from './routes-page.ts'
import { scopesPage } from './scopes-page.ts'
import { settingsTable } from './settings-table.ts'
import { root } from './tree.ts'

/** Documents that are generated from the code. With --check they are only compared, so that a stale one fails the build. */
const openApi = await openApiDocument()
const documents: Record<string, string> = {
  'docs/openapi.json': `${JSON.stringify(openApi, null, 2)}\n`,
  'client/generated.ts': clientTypes(openApi),
  'client/operations.ts': clientOperations(openApi),
  'docs/guide/integrate.md': fillSamples(read('docs/guide/integrate.md')),
  'README.md': fillSamples(read('README.md')),
  'docs/routes.md': routesPage(openApi),
  'docs/errors.md': errorsPage(openApi),
  'docs/reference/api-limits.md': apiLimitsPage(),
  'docs/reference/events.md': eventsPage(),
  'docs/reference/product-parameters.md': productParametersPage(openApi),
  'docs/reference/scopes.md': scopesPage(),
  'docs/configure.md': replaceGeneratedPart(read('docs/configure.md'), 'Settings', settingsTable()),
  'docs/limits.md': replaceGeneratedPart(read('docs/limits.md'), 'Limits', await limitsTables()),
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

const changed = await checkRelease()
if (changed.length > 0) {
  console.error(`The released client differs from client/ in ${changed.join(', ')}; increase the version`)
  process.exitCode = 1
}

function read(name: string): string {
  try {
    return readFileSync(root + name, 'utf8')
  } catch {
    return ''
  }
}
