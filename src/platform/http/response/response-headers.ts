/** Headers of answers, as the OpenAPI document declares them. `required` means that the answer always has it. */
type Headers = Record<string, object>

export const requestIdHeader: Headers = {
  'X-Request-Id': {
    type: 'string',
    required: true,
    description: 'Names the request in the log; tell it to the operator',
  },
}

export const rateLimitHeaders: Headers = {
  RateLimit: {
    type: 'string',
    description:
      'Where the project has a limit: `"project";r=` requests left, `;t=` seconds until all are back',
  },
  'RateLimit-Policy': {
    type: 'string',
    description:
      'Where the project has a limit: `"project";q=` requests at once, `;w=` seconds to fill up again',
  },
}

export const tagHeaders: Headers = {
  ETag: {
    type: 'string',
    required: true,
    description: 'For If-None-Match, and with a version in front for If-Match',
  },
}

/** Headers of an answer that the service keeps in memory where it is small, and streams where it is large. */
export const tagOfSmallResponse: Headers = {
  ETag: { type: 'string', description: 'For If-None-Match; only an answer under 1 MiB has it' },
}

export const droppedHeader = 'catalog-response'

/** A write whose response found no room. Its status says that it was done; what was written is read by GET. */
export const droppedResponse = {
  type: 'null',
  description:
    'The service made the change, but there is no room for the response body, because too many responses wait for their clients. Do not send the request again; read the object with GET. To read the results of a push, send the same push again',
  headers: {
    ...requestIdHeader,
    ...rateLimitHeaders,
    'Catalog-Response': { type: 'string', description: '`dropped`' },
    Location: { type: 'string', format: 'uri', description: 'If the request created something' },
    ETag: { type: 'string', description: 'If the object has versions' },
  },
}

const refusalHeaders: Headers = {
  'WWW-Authenticate': { type: 'string', description: 'With insufficient_scope: the scope that is missing' },
  Link: {
    type: 'string',
    description: 'With api_access_locked: the page of the console that asks for access',
  },
}

/** What an error of the API has beyond any other error. Who is not known has no limit that could be told. */
export function apiProblemHeaders(status: string): Headers {
  if (status === '401') return {}
  return { ...rateLimitHeaders, ...(status === '403' && refusalHeaders) }
}

const locationHeader: Headers = {
  Location: { type: 'string', format: 'uri', required: true, description: 'Address of what was made' },
}

/** An answer that also tells the address of what was made. */
export function withLocation<Shape extends object>(shape: Shape): Shape {
  return { ...shape, headers: { ...tagHeaders, ...locationHeader } }
}

/** An answer that is sent without being kept in memory, and so without a tag. */
export function withoutTag<Shape extends object>(shape: Shape, headers: Headers = {}): Shape {
  return { ...shape, headers }
}
