import type { ApiRequest } from './request.ts'

export type Language = 'curl' | 'JavaScript' | 'Python'
export const languages: readonly Language[] = ['curl', 'JavaScript', 'Python']

const tokenHeader = 'Authorization'

/** The request as code. The token is in the variable CATALOG_TOKEN. */
export function codeSample(language: Language, request: ApiRequest): string {
  return { curl, JavaScript: javascript, Python: python }[language](request)
}

function curl({ method, url, headers, body }: ApiRequest): string {
  const parts = [method === 'GET' ? `curl ${quoted(url)}` : `curl -X ${method} ${quoted(url)}`]
  for (const [name, value] of Object.entries(headers))
    parts.push(
      name === tokenHeader ? `-H "${name}: Bearer $CATALOG_TOKEN"` : `-H ${quoted(`${name}: ${value}`)}`,
    )
  if (body !== undefined) parts.push(`--data-binary ${quoted(body)}`)
  return parts.join(' \\\n  ')
}

/** Quotes for a shell: within single quotes, only the quote is special. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function javascript({ method, url, headers, body }: ApiRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => {
    const shown = name === tokenHeader ? `'Bearer ' + process.env.CATALOG_TOKEN` : JSON.stringify(value)
    return `    ${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${shown},`
  })
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(lines.length === 0 ? [] : ['  headers: {', ...lines, '  },']),
    ...(body === undefined ? [] : [`  body: ${javascriptBody(body)},`]),
  ]
  const call =
    options.length === 0
      ? `fetch(${JSON.stringify(url)})`
      : `fetch(${JSON.stringify(url)}, {\n${options.join('\n')}\n})`
  return `const response = await ${call}\nconsole.log(response.status, await response.text())`
}

function javascriptBody(body: string): string {
  return isJson(body) ? `JSON.stringify(${body.replaceAll('\n', '\n  ')})` : JSON.stringify(body)
}

function python({ method, url, headers, body }: ApiRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => {
    const shown = name === tokenHeader ? `f"Bearer {os.environ['CATALOG_TOKEN']}"` : JSON.stringify(value)
    return `        ${JSON.stringify(name)}: ${shown},`
  })
  const options = [
    `    ${JSON.stringify(url)},`,
    ...(lines.length === 0 ? [] : ['    headers={', ...lines, '    },']),
    ...(body === undefined ? [] : [pythonBody(body)]),
  ]
  const imports = tokenHeader in headers ? 'import os\n\nimport requests' : 'import requests'
  const call = `requests.${method.toLowerCase()}(\n${options.join('\n')}\n)`
  return `${imports}\n\nresponse = ${call}\nprint(response.status_code, response.text)`
}

const pythonWords: Record<string, string> = { true: 'True', false: 'False', null: 'None' }

function pythonBody(body: string): string {
  if (!isJson(body)) return `    data=${JSON.stringify(body)},`
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
