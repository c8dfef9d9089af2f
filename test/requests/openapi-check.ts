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
export type Answered = { status: number; headers: Headers; body: unknown; text: string }

type Checker = (method: string, address: string, answer: Answered) => void

let checker: Promise<Checker> | undefined

/** Strict: no undeclared address, status, content type or field, and of the headers that clients read none undeclared or missing. */
export async function checkAgainstOpenApi(
  base: string,
  method: string,
  address: string,
  answer: Answered,
): Promise<void> {
  checker ??= loadChecker(base)
  const check = await checker
  check(method, address, answer)
}

/** The first service of a worker provides the document for all, because the document does not depend on settings (src/platform/http/behind-proxy.test.ts). */
async function loadChecker(base: string): Promise<Checker> {
  const response = await fetch(`${base}/openapi.json`)
  return makeChecker((await response.json()) as Document)
}

/** For people, and so not in the document: the pages, what they load, the document itself, and what errors mean. */
const pages =
  /^\/((docs|openapi\.json|sign-in|invitation|account|favicon\.ico)?$|(projects|operator|assets|errors)(\/|$))/

/** Answered for any address, before a route is looked for. */
function isPreflight(method: string, headers: Headers): boolean {
  return method === 'OPTIONS' && headers.has('access-control-allow-methods')
}

/** Which operation an address means; those of the API stand below its two prefixes, those with servers of their own do not. */
function operationFinder({ paths }: Document) {
  const shapes = Object.entries(paths).map(([path, item]) => ({
    path,
    item,
    shape: new RegExp(`^${'servers' in item ? '' : '/(api|v2)'}${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
  }))
  // Where two match, the server takes the one with fewer parameters.
  shapes.sort((one, other) => one.path.split('{').length - other.path.split('{').length)
  return (method: string, address: string) => {
    const found = shapes.find(({ shape }) => shape.test(address))
    const key = method === 'HEAD' ? 'get' : method.toLowerCase()
    const operation = found?.item[key]
    return operation && { operation, place: `#/paths/${escaped(found.path)}/${key}` }
  }
}

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')

function makeChecker(document: Document): Checker {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(document, 'api')
  const validators = new Map<string, ValidateFunction>()
  const findOperation = operationFinder(document)

  return (method, address, answer) => {
    const what = `${method} ${address}`
    const plain = address.replace(/\/?(\?.*)?$/s, '')
    const found = findOperation(method, plain)
    if (found !== undefined) checkDeclared(what, found, answer)
    else {
      if (!pages.test(plain || '/') && !isPreflight(method, answer.headers))
        expect(answer.status, `${what}, which the OpenAPI document lacks: ${answer.text}`).toBeGreaterThan(
          399,
        )
      checkRefusal(what, answer)
    }
  }

  function checkRefusal(what: string, { status, headers, body, text }: Answered): void {
    if (status < 400 || text === '') return
    expect(mediaType(headers), what).toBe('application/problem+json')
    expectValid('#/components/schemas/Problem', body)
  }

  function checkDeclared(
    what: string,
    { operation, place }: { operation: Operation; place: string },
    { status, headers, body, text }: Answered,
  ): void {
    const declared = operation.responses[status]
    expect(
      declared,
      `${what} answered ${status}, which the OpenAPI document does not declare: ${text}`,
    ).toBeDefined()
    expectHeaders(`${what}: ${status}`, resolved(declared?.headers), headers)
    const type = mediaType(headers)
    if (text === '' || type === undefined) return
    expect(Object.keys(declared?.content ?? {}), what).toContain(type)
    // A schema with a name, as that of problems, is compiled once.
    const pointer =
      declared?.content?.[type]?.schema?.$ref ??
      `${place}/responses/${status}/content/${escaped(type)}/schema`
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
