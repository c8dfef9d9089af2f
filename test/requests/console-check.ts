import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import type { CheckedResponse } from './openapi-check.ts'
import { type RegisteredRoute, registeredRoutes } from './registered-routes.ts'

let checker: Promise<ReturnType<typeof createChecker>> | undefined

/** Checks responses of console routes, which no public document describes, against the schemas of their routes. */
export async function checkAgainstRoute(
  method: string,
  address: string,
  response: CheckedResponse,
): Promise<void> {
  checker ??= registeredRoutes().then(({ routes, namedSchemas }) => createChecker(routes, namedSchemas))
  const check = await checker
  check(method, address, response)
}

const problem = { $ref: 'Problem#' }

type Declared = { content?: Record<string, { schema: object }> }

function createChecker(routes: RegisteredRoute[], namedSchemas: object[]) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  for (const shape of namedSchemas) ajv.addSchema(shape)
  const validators = new Map<object, ValidateFunction>()
  const countOf = (url: string) => url.split(':').length
  const shapes = routes
    .filter(({ url }) => url.startsWith('/console/'))
    // If two match, the server uses the one with fewer parameters.
    .toSorted((one, other) => countOf(one.url) - countOf(other.url))
    .map((route) => ({ route, shape: new RegExp(`^${route.url.replace(/:\w+/g, '[^/]+')}/?$`) }))

  return (method: string, address: string, { status, headers, body, text }: CheckedResponse): void => {
    const what = `${method} ${address} returned ${status}`
    const [path = ''] = address.split('?')
    const route = shapes.find((one) => one.route.method === method && one.shape.test(path))?.route
    const type = headers.get('content-type')?.split(';')[0] ?? ''
    const declared = route?.response?.[status] as Declared | undefined
    if (declared === undefined && status >= 400) {
      expect(type, what).toBe('application/problem+json')
      if (text !== '') expectValid(problem, body, what)
      return
    }
    if (status === 304) {
      expect(`${method} ${text}`, what).toMatch(/^(GET|HEAD) $/)
      return
    }
    if (declared === undefined) expect.fail(`${what}, which its route does not declare: ${text}`)
    if (text === '') return
    const media = declared.content ?? { 'application/json': { schema: declared } }
    if (!(type in media)) expect.fail(`${what} with the content type ${type}`)
    expectValid(media[type]?.schema ?? {}, /[/+]json\b/.test(type) ? body : text, what)
  }

  function expectValid(schema: object, body: unknown, what: string): void {
    const validate = validators.get(schema) ?? ajv.compile(schema)
    validators.set(schema, validate)
    if (!validate(body)) expect.fail(`${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`)
  }
}
