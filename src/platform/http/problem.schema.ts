import { Type } from 'typebox'
import { closed } from './closed.ts'
import { OneOf, ref } from './openapi.ts'
import { type ProblemCode, problems } from './problem-catalog.ts'
import { requestIdHeader } from './response/response-headers.ts'

export const InputErrorSchema = Type.Object(
  {
    pointer: Type.Optional(Type.String({ description: 'JSON pointer to the value in the body' })),
    parameter: Type.Optional(Type.String({ description: 'Name of the query parameter' })),
    code: Type.String(),
    message: Type.String(),
  },
  closed,
)

/** The body of every error response (RFC 9457). */
const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'URL of the description of this error' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'What to do' }),
    code: OneOf(Object.keys(problems) as ProblemCode[]),
    request_id: Type.String(),
    errors: Type.Optional(Type.Array(InputErrorSchema)),
    existing_id: Type.Optional(
      Type.Integer({ description: 'For codes that start with `duplicate_`: ID of the conflicting object' }),
    ),
    marked: Type.Optional(
      Type.Object(
        { done: Type.Integer(), total: Type.Integer() },
        {
          ...closed,
          description:
            'With `view_marking`: how many products the service has checked against the current views',
        },
      ),
    ),
  },
  {
    $id: 'Problem',
    ...closed,
    examples: [
      {
        type: '/errors/duplicate_sku',
        title: 'Duplicate SKU',
        status: 409,
        detail: 'The SKU "MUG-300-SAND" belongs to product 1. Choose another SKU, or update that product.',
        code: 'duplicate_sku',
        request_id: '0b5b4d3c-5a3e-4c55-9f0f-2d3b6f4f7a10',
        existing_id: 1,
      },
    ],
  },
)

const headersOf: Record<number, Record<string, object>> = {
  401: {
    'WWW-Authenticate': { type: 'string', description: 'The scheme `Bearer`, and the error' },
  },
  415: {
    'Accept-Encoding': { type: 'string', description: 'If the Content-Encoding is not supported: gzip' },
  },
  429: { 'Retry-After': { type: 'integer', description: 'Seconds to wait' } },
  503: { 'Retry-After': { type: 'integer', description: 'Seconds to wait' } },
}

type ProblemResponse = { description: string; headers: object; content: object }
/** Errors that any URL can return before its route runs. */
export const edgeProblems = [
  'malformed_request',
  'unknown_host',
  'expectation_failed',
  'headers_too_large',
] as const

/** OpenAPI responses for these errors, one entry per status. */
export function problemResponses(codes: readonly ProblemCode[]): Record<number, ProblemResponse> {
  const responses: Record<number, ProblemResponse> = {}
  for (const code of codes) {
    const { status, title } = problems[code]
    const known = responses[status]
    const line = `\`${code}\`: ${title}`
    responses[status] = {
      description: known === undefined ? line : `${known.description}\n\n${line}`,
      headers: { ...requestIdHeader, ...headersOf[status] },
      content: { 'application/problem+json': { schema: ref(ProblemSchema) } },
    }
  }
  return responses
}
