import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import { expectHeaders, type Header } from './header-check.ts'

type Declared = { content?: Record<string, { schema?: { $ref?: string } }>; headers?: Record<string, Header> }
type Operation = { responses: Record<string, Declared> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown>; headers: Record<string, Header> }
}

export type CheckedResponse = { status: number; headers: Headers; body: unknown; text: string }

type Checker = (method: string, address: string, response: CheckedResponse) => void

let checker: Promise<Checker> | undefined

/** Strict: no undeclared path, status, content type or field, and no undeclared or missing header that clients read. */
export async function checkAgainstOpenApi(
  base: string,
  method: string,
  address: string,
  response: CheckedResponse,
): Promise<void> {
  checker ??= loadChecker(base)
  const check = await checker
  check(method, address, response)
}

/** One document per worker, because it does not depend on settings (src/platform/http/behind-proxy.test.ts). */
async function loadChecker(base: string): Promise<Checker> {
  const response = await fetch(`${base}/openapi.json`)
  return createChecker((await response.json()) as Document)
}

/** Not in the document: console pages and their assets, public files, the document itself, and error descriptions. */
const pages =
  /^\/((docs|openapi\.json|sign-in|invitation|account|favicon\.ico)?$|(projects|operator|assets|media|errors)(\/|$))/

/** Returned for any path, before routing. */
function isPreflight(method: string, headers: Headers): boolean {
  return method === 'OPTIONS' && headers.has('access-control-allow-methods')
}

/** Finds the operation of a path. API operations are under two prefixes, those with their own servers are not. */
function operationFinder({ paths }: Document) {
  const shapes = Object.entries(paths).map(([path, item]) => ({
    path,
    item,
    shape: new RegExp(`^${'servers' in item ? '' : '/(api|v2)'}${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
  }))
  // If two match, the server uses the one with fewer parameters.
  shapes.sort((one, other) => one.path.split('{').length - other.path.split('{').length)
  return (method: string, address: string) => {
    const found = shapes.find(({ shape }) => shape.test(address))
    const key = method === 'HEAD' ? 'get' : method.toLowerCase()
    const operation = found?.item[key]
    return operation && { operation, place: `#/paths/${escaped(found.path)}/${key}` }
  }
}

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')

function createChecker(document: Document): Checker {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(document, 'api')
  const validators = new Map<string, ValidateFunction>()
  const findOperation = operationFinder(document)

  return (method, address, response) => {
    const what = `${method} ${address}`
    const plain = address.replace(/\/?(\?.*)?$/s, '')
    const found = findOperation(method, plain)
    if (found !== undefined) checkDeclared(what, found, response)
    else {
      if (!pages.test(plain || '/') && !isPreflight(method, response.headers))
        expect(
          response.status,
          `${what}, which the OpenAPI document lacks: ${response.text}`,
        ).toBeGreaterThan(399)
      checkErrorResponse(what, response)
    }
  }

  function checkErrorResponse(what: string, { status, headers, body, text }: CheckedResponse): void {
    if (status < 400 || text === '') return
    expect(mediaType(headers), what).toBe('application/problem+json')
    expectValid('#/components/schemas/Problem', body)
  }

  function checkDeclared(
    what: string,
    { operation, place }: { operation: Operation; place: string },
    { status, headers, body, text }: CheckedResponse,
  ): void {
    const declared = operation.responses[status]
    if (declared === undefined)
      expect.fail(`${what} returned ${status}, which the OpenAPI document does not declare: ${text}`)
    expectHeaders(`${what}: ${status}`, resolved(declared.headers), headers)
    const type = mediaType(headers)
    if (text === '' || type === undefined) return
    const content = declared.content?.[type]
    if (content === undefined) expect.fail(`${what} returned the content type ${type}`)
    // A named schema, such as Problem, is compiled once.
    const pointer = content.schema?.$ref ?? `${place}/responses/${status}/content/${escaped(type)}/schema`
    expectValid(pointer, /[/+]json\b/.test(type) ? body : text)
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
    if (!validate(body))
      expect.fail(`${pointer}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`)
  }
}

const mediaType = (headers: Headers) => headers.get('content-type')?.split(';')[0]
