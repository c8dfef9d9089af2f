import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'

type Header = { required?: boolean; $ref?: string }
type Declared = { content?: Record<string, unknown>; headers?: Record<string, Header> }
type Operation = { responses: Record<string, Declared> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown>; headers: Record<string, Header> }
}
export type Answered = { status: number; headers: Headers; body: unknown; text: string }

const checkers = new Map<string, Promise<ReturnType<typeof makeChecker>>>()

/** Strict: no undeclared status, content type or field, and of the headers that clients read none undeclared or missing. */
export async function checkAgainstOpenApi(
  base: string,
  method: string,
  address: string,
  answer: Answered,
): Promise<void> {
  const loading =
    checkers.get(base) ??
    fetch(`${base}/openapi.json`).then(async (response) => makeChecker((await response.json()) as Document))
  checkers.set(base, loading)
  const check = await loading
  check(method, address, answer)
}

/** Answered for any address, before a route is looked for. */
function isPreflight(method: string, headers: Headers): boolean {
  return method === 'OPTIONS' && headers.has('access-control-allow-methods')
}

function makeChecker(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(document, 'api')
  const validators = new Map<string, ValidateFunction>()
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    shape: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
  }))

  return (method: string, address: string, { status, headers, body, text }: Answered): void => {
    const [plain = ''] = address.split('?')
    const isOfApi = /^\/(api|v2)(\/|$)/.test(plain)
    const route = plain.replace(/^\/(api|v2)(?=\/)/, '').replace(/(.)\/$/, '$1')
    const path = route in document.paths ? route : paths.find(({ shape }) => shape.test(route))?.path
    const operation =
      path === undefined
        ? undefined
        : document.paths[path]?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
    const type = headers.get('content-type')?.split(';')[0]
    if (path === undefined || operation === undefined) {
      if (isOfApi && !isPreflight(method, headers))
        expect(status, `${method} ${address}, which the OpenAPI document lacks: ${text}`).toBeGreaterThan(399)
      if (status > 399 && text !== '') {
        expect(type, `${method} ${address}`).toBe('application/problem+json')
        expectValid('#/components/schemas/Problem', body)
      }
      return
    }
    const declared = operation.responses[status]
    expect(
      declared,
      `${method} ${address} answered ${status}, which the OpenAPI document does not declare: ${text}`,
    ).toBeDefined()
    expectHeaders(`${method} ${address}: ${status}`, resolved(declared?.headers), headers)
    if (text === '' || type === undefined) return
    expect(Object.keys(declared?.content ?? {}), `${method} ${address}`).toContain(type)
    const key = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')
    expectValid(
      `#/paths/${key(path)}/${method.toLowerCase()}/responses/${status}/content/${key(type)}/schema`,
      /[/+]json\b/.test(type) ? body : text,
    )
  }

  function resolved(declared: Record<string, Header> = {}): Record<string, Header> {
    return Object.fromEntries(
      Object.entries(declared).map(([name, header]) => [
        name,
        header.$ref === undefined ? header : (document.components.headers[name] as Header),
      ]),
    )
  }

  function expectValid(pointer: string, body: unknown): void {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `api${encodeURI(pointer)}` })
    validators.set(pointer, validate)
    expect(validate(body), `${pointer}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`).toBe(
      true,
    )
  }
}

const toldHeaders = [
  'etag',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
  'link',
  'content-disposition',
  'x-request-id',
]

function expectHeaders(what: string, declared: Record<string, Header>, sent: Headers): void {
  const names = Object.keys(declared).map((name) => name.toLowerCase())
  const undeclared = toldHeaders.filter((name) => sent.has(name) && !names.includes(name))
  const missing = Object.keys(declared).filter((name) => declared[name]?.required === true && !sent.has(name))
  expect({ undeclared, missing }, what).toEqual({ undeclared: [], missing: [] })
}
