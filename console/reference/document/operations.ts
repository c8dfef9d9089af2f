import { strings } from '../strings.ts'
import {
  type Body,
  type DescribedOperation,
  type Method,
  methods,
  type OpenApiDocument,
  type Parameter,
  type ResponseObject,
  resolve,
  type Server,
} from './document.ts'

export type Operation = {
  /** Part of the URL: `/docs#operation/listProducts`. */
  id: string
  method: Method
  path: string
  tag: string
  summary: string
  description: string
  isDeprecated: boolean
  parameters: Parameter[]
  body: Body | undefined
  responses: [status: string, ResponseObject][]
  /** Only if it differs from the servers of the document. */
  servers: Server[] | undefined
  needsToken: boolean
  scopes: string[]
}

/** All operations, in the order of the document's tags, then of its paths. */
export function readOperations(document: OpenApiDocument): Operation[] {
  const operations: Operation[] = []
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const found = item[method]
      if (found === undefined) continue
      const shared = { parameters: item.parameters ?? [], servers: item.servers }
      operations.push(operationOf(document, method, path, found, shared))
    }
  }
  const order = (document.tags ?? []).map(({ name }) => name)
  const rank = ({ tag }: Operation) => (order.includes(tag) ? order.indexOf(tag) : order.length)
  return operations.sort((one, other) => rank(one) - rank(other))
}

export function byTag(operations: Operation[]): [tag: string, operations: Operation[]][] {
  return [...Map.groupBy(operations, ({ tag }) => tag)]
}

function operationOf(
  document: OpenApiDocument,
  method: Method,
  path: string,
  found: DescribedOperation,
  shared: { parameters: Parameter[]; servers: Server[] | undefined },
): Operation {
  const security = (found.security ?? document.security ?? []).flatMap((one) => Object.values(one))
  return {
    id: found.operationId ?? `${method}${path.replaceAll(/[^\w]+/g, '-')}`,
    method,
    path,
    tag: found.tags?.[0] ?? strings.operation.otherTag,
    summary: found.summary ?? `${method.toUpperCase()} ${path}`,
    description: found.description ?? '',
    isDeprecated: found.deprecated === true,
    parameters: parametersOf(document, shared.parameters, found.parameters ?? []),
    body: found.requestBody && resolve(found.requestBody, document),
    responses: Object.entries(found.responses ?? {}).map(([status, response]) => [
      status,
      resolve(response, document),
    ]),
    servers: found.servers ?? shared.servers,
    needsToken: security.length > 0,
    scopes: security.flat(),
  }
}

/** Path parameters first. A parameter of the operation overrides one of the path with the same name. */
function parametersOf(document: OpenApiDocument, ofPath: Parameter[], own: Parameter[]): Parameter[] {
  const all = new Map<string, Parameter>()
  for (const parameter of [...ofPath, ...own]) {
    const resolved = resolve(parameter, document)
    all.set(`${resolved.in} ${resolved.name}`, resolved)
  }
  const order = ['path', 'query', 'header', 'cookie']
  return [...all.values()].sort((one, other) => order.indexOf(one.in) - order.indexOf(other.in))
}
