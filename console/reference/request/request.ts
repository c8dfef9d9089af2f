import type { OpenApiDocument, Parameter, Server } from '../document/document.ts'
import { sampleOf } from '../document/examples.ts'
import type { Operation } from '../document/operations.ts'
import { shapeOf, typesOf } from '../document/schema-text.ts'

/** The input by parameter. Empty values are not sent. */
export type Values = Record<string, string>
export type ApiRequest = {
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
  /** Query parameters that take several values. */
  lists: string[]
}

export type RequestBody = { type: string; text: string }

export const keyOf = ({ in: group, name }: Parameter) => `${group} ${name}`

/** The base URL. Always this origin, whatever the document says, so that tokens are sent nowhere else. */
export function baseOf({ servers }: Operation, chosen: Server | undefined): string {
  const { pathname } = new URL(servers?.[0]?.url ?? chosen?.url ?? '/', location.origin)
  return location.origin + pathname.replace(/\/$/, '')
}

type Filled = { base: string; values: Values; token: string; body?: RequestBody | undefined }

export function requestOf(operation: Operation, { base, values, token, body }: Filled): ApiRequest {
  const filled = operation.parameters.flatMap((parameter) => {
    const value = values[keyOf(parameter)]?.trim() ?? ''
    return value === '' ? [] : [{ parameter, value }]
  })
  let path = operation.path
  const query: string[] = []
  const headers: Record<string, string> = {}
  for (const { parameter, value } of filled) {
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(value))
    if (parameter.in === 'query') query.push(...queryParts(parameter, value))
    if (parameter.in === 'header') headers[parameter.name] = value
  }
  if (token !== '') headers['Authorization'] = `Bearer ${token}`
  if (body !== undefined) headers['Content-Type'] = body.type
  const search = query.length === 0 ? '' : `?${query.join('&')}`
  const lists = operation.parameters.filter((one) => listOrMap(one) === 'list').map(({ name }) => name)
  return {
    method: operation.method.toUpperCase(),
    url: base + path + search,
    headers,
    body: body?.text,
    lists,
  }
}

/** Lists are comma-separated. Maps have one `name=value` per line. */
function queryParts(parameter: Parameter, value: string): string[] {
  const name = encodeURIComponent(parameter.name)
  const kind = listOrMap(parameter)
  if (kind === 'map')
    return value.split('\n').flatMap((line) => {
      const [key = '', ...rest] = line.split('=')
      const pair = `${name}[${encodeURIComponent(key.trim())}]=${encodeURIComponent(rest.join('=').trim())}`
      return key.trim() === '' ? [] : [pair]
    })
  if (kind === 'value') return [`${name}=${encodeURIComponent(value)}`]
  const items = value.split(',').map((item) => encodeURIComponent(item.trim()))
  return isRepeated(parameter) ? items.map((item) => `${name}=${item}`) : [`${name}=${items.join(',')}`]
}

export function listOrMap({ schema = {} }: Parameter): 'list' | 'map' | 'value' {
  const types = typesOf(schema)
  if (types.includes('array')) return 'list'
  return types.includes('object') ? 'map' : 'value'
}

function isRepeated({ style = 'form', explode = style === 'form' }: Parameter): boolean {
  return explode
}

/** Values of the required parameters, for a code sample. */
export function sampleValues({ parameters }: Operation, document: OpenApiDocument): Values {
  const required = parameters.filter((parameter) => parameter.required === true || parameter.in === 'path')
  return Object.fromEntries(required.map((parameter) => [keyOf(parameter), sampleText(parameter, document)]))
}

function sampleText({ name, example, schema = {} }: Parameter, document: OpenApiDocument): string {
  const { default: standard } = shapeOf(schema, document)
  return String(example ?? standard ?? sampleOf(schema, document, 'required', name))
}
