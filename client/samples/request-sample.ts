import { operations } from '../operations.ts'

export type Language = 'curl' | 'TypeScript' | 'Python'
export const languages: readonly Language[] = ['curl', 'TypeScript', 'Python']

export type SampleRequest = {
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
  /** Query parameters that take several values. */
  lists?: readonly string[]
}

const tokenHeader = 'Authorization'
const fileName = 'file'

/** The request as code. The token is in the variable CATALOG_TOKEN. */
export function codeSample(language: Language, request: SampleRequest): string {
  return { curl, TypeScript: typescript, Python: python }[language](request)
}

/** Files are not part of the code. */
function isFile({ headers }: SampleRequest): boolean {
  const type = headers['Content-Type'] ?? 'application/json'
  return !/json$/.test(type)
}

function curl(request: SampleRequest): string {
  const { method, url, headers, body } = request
  const parts = [method === 'GET' ? `curl ${quoted(url)}` : `curl -X ${method} ${quoted(url)}`]
  for (const [name, value] of Object.entries(headers))
    parts.push(
      name === tokenHeader ? `-H "${name}: Bearer $CATALOG_TOKEN"` : `-H ${quoted(`${name}: ${value}`)}`,
    )
  if (body !== undefined) parts.push(`--data-binary ${isFile(request) ? `@${fileName}` : quoted(body)}`)
  return parts.join(' \\\n  ')
}

/** Quotes for a shell: within single quotes, only the quote is special. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Methods of the client that stream. */
const streams: Record<string, string> = {
  'GET /products/export': 'products.export',
  'GET /events/stream': 'events.stream',
}

function typescript(request: SampleRequest): string {
  const { origin, pathname } = new URL(request.url)
  const found = findCall(request.method, pathname.replace(/^\/(v2|api)(?=\/)/, ''))
  const inputs = [...found.values.map((value) => valueText(value)), ...inputsOf(request)]
  const call = `catalog.${found.name}(${inputs.join(', ')})`
  const isStream = Object.values(streams).includes(found.name)
  return [
    ...(isFile(request) ? ["import { readFile } from 'node:fs/promises'"] : []),
    "import { Catalog } from 'catalog-client'",
    '',
    `const catalog = new Catalog({ url: '${origin}', token: process.env.CATALOG_TOKEN ?? '' })`,
    isStream ? `for await (const one of ${call}) console.log(one)` : `console.log(await ${call})`,
  ].join('\n')
}

/** The method of the client for a path, and the values in the path. */
function findCall(method: string, path: string): { name: string; values: string[] } {
  const stream = streams[`${method} ${path}`]
  if (stream !== undefined) return { name: stream, values: [] }
  if (`${method} ${path}` === 'POST /products/bulk') return { name: 'products.push', values: [] }
  const calls = Object.entries(operations).flatMap(([group, methods]) =>
    Object.entries(methods).flatMap(([name, text]: [string, string]) => {
      const [verb, template = ''] = text.split(' ')
      const match = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(path)
      return verb === method && match
        ? [{ name: `${group}.${name}`, values: match.slice(1).map(decodeURIComponent) }]
        : []
    }),
  )
  // The path without parameters comes first: /assets/storage, not /assets/{id}.
  return (
    calls.sort((one, other) => one.values.length - other.values.length)[0] ?? {
      name: 'service.isAlive',
      values: [],
    }
  )
}

function inputsOf(request: SampleRequest): string[] {
  const { method, url, headers, body, lists = [] } = request
  const query = queryText(new URL(url).searchParams, lists)
  const isRead = method === 'GET'
  const options = [
    ...(isRead || query === undefined ? [] : [`query: ${query}`]),
    ...(headers['If-Match'] === undefined ? [] : [`ifMatch: ${JSON.stringify(headers['If-Match'])}`]),
    ...(headers['Idempotency-Key'] === undefined
      ? []
      : [`idempotencyKey: ${JSON.stringify(headers['Idempotency-Key'])}`]),
  ]
  const given = isRead ? query : body && (isFile(request) ? fileText(headers['Content-Type']) : body)
  if (options.length === 0) return given === undefined ? [] : [given]
  return [...(isRead ? [query ?? '{}'] : (given ?? [])), `{ ${options.join(', ')} }`].flat()
}

function fileText(type: string | undefined): string {
  return `new Blob([await readFile('${fileName}')], { type: '${type}' })`
}

function queryText(search: URLSearchParams, lists: readonly string[]): string | undefined {
  const parts = [...search].map(([name, value]) => {
    const [, map, key] = /^(\w+)\[(.+)\]$/.exec(name) ?? []
    if (map !== undefined) return `${map}: { ${JSON.stringify(key)}: ${valueText(value)} }`
    return `${name}: ${lists.includes(name) ? `[${value.split(',').map(valueText).join(', ')}]` : valueText(value)}`
  })
  return parts.length === 0 ? undefined : `{ ${parts.join(', ')} }`
}

function valueText(value: string): string {
  return /^(\d{1,15}|true|false)$/.test(value) ? value : `'${value.replaceAll(/['\\]/g, '\\$&')}'`
}

function python(request: SampleRequest): string {
  const { method, url, headers, body } = request
  const lines = Object.entries(headers).map(([name, value]) => {
    const shown = name === tokenHeader ? `f"Bearer {os.environ['CATALOG_TOKEN']}"` : JSON.stringify(value)
    return `        ${JSON.stringify(name)}: ${shown},`
  })
  const options = [
    `    "${method}",`,
    `    ${JSON.stringify(url)},`,
    ...(lines.length === 0 ? [] : ['    headers={', ...lines, '    },']),
    ...(body === undefined
      ? []
      : [isFile(request) ? `    content=open("${fileName}", "rb").read(),` : pythonBody(body)]),
  ]
  const imports = tokenHeader in headers ? 'import os\n\nimport httpx' : 'import httpx'
  return `${imports}\n\nresponse = httpx.request(\n${options.join('\n')}\n)\nprint(response.status_code, response.text)`
}

const pythonWords: Record<string, string> = { true: 'True', false: 'False', null: 'None' }

function pythonBody(body: string): string {
  if (!isJson(body)) return `    content=${JSON.stringify(body)},`
  const literal = body.replaceAll(/"(?:[^"\\]|\\.)*"|true|false|null/g, (part) => pythonWords[part] ?? part)
  return `    json=${literal.replaceAll('\n', '\n    ')},`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
