import { version } from '../../client/operations.ts'
import python from '../../client/samples/list-products.py?raw'
import curl from '../../client/samples/list-products.sh?raw'
import typescript from '../../client/samples/list-products.ts?raw'

export const tokenVariable = 'CATALOG_TOKEN'

export type Snippet = { language: string; code: (baseUrl: string) => string }

/** The address of the service in the samples. */
const sampled = 'http://127.0.0.1:8080'

const installation = `// npm install ${sampled}/client/catalog-client-${version}.tgz\n`

/** The base URL ends with the version of the API. */
function snippet(language: string, code: string): Snippet {
  return {
    language,
    code: (baseUrl) => code.trimEnd().replaceAll(sampled, baseUrl.replace(/\/(v2|api)$/, '')),
  }
}

/** The samples of the guide. test/client/samples.test.ts runs them. */
export const snippets: Snippet[] = [
  snippet('curl', curl),
  snippet('TypeScript', installation + typescript),
  snippet('Python', python),
]
