/** Response headers in the OpenAPI document. `required` means that the response always has the header. */
type Headers = Record<string, object>

export const requestIdHeader: Headers = {
  'X-Request-Id': {
    type: 'string',
    required: true,
    description: 'Identifies the request in the log; include it in reports to the operator',
  },
}

/** Headers of responses to a valid token. */
export const callerHeaders: Headers = {
  'Catalog-Version': { type: 'string', description: 'Release of the service, such as 0.4.0' },
  RateLimit: {
    type: 'string',
    description:
      'If the project has a limit: `"project";r=` requests left, `;t=` seconds until the limit is fully available again',
  },
  'RateLimit-Policy': {
    type: 'string',
    description:
      'If the project has a limit: `"project";q=` requests at once, `;w=` seconds until the limit is refilled',
  },
}

export const tagHeaders: Headers = {
  ETag: {
    type: 'string',
    required: true,
    description: 'For If-None-Match; starts with the version for If-Match',
  },
}

/** Headers of a response that is held in memory if it is small, and streamed if it is large. */
export const tagOfSmallResponse: Headers = {
  ETag: { type: 'string', description: 'For If-None-Match; only on responses under 1 MiB' },
}

export const droppedHeader = 'catalog-response'

/** The response to a write whose body was dropped. The status confirms the write; the object can be read with GET. */
export const droppedResponse = {
  type: 'null',
  description:
    'The service applied the change but dropped the response body, because too many responses are waiting for their clients. Do not send the request again; read the object with GET. To read the results of a push, send the same push again',
  headers: {
    ...requestIdHeader,
    ...callerHeaders,
    'Catalog-Response': { type: 'string', description: '`dropped`' },
    Location: { type: 'string', format: 'uri', description: 'If the request created something' },
    ETag: { type: 'string', description: 'If the object has versions' },
  },
}

const forbiddenHeaders: Headers = {
  'WWW-Authenticate': { type: 'string', description: 'For insufficient_scope: the missing scope' },
  Link: {
    type: 'string',
    description: 'For api_access_locked: the console page for requesting access',
  },
}

/** Headers of API errors in addition to those of all errors. An unauthenticated client has no limit to report. */
export function apiProblemHeaders(status: string): Headers {
  if (status === '401') return {}
  return { ...callerHeaders, ...(status === '403' && forbiddenHeaders) }
}

const locationHeader: Headers = {
  Location: { type: 'string', format: 'uri', required: true, description: 'URL of the created object' },
}

/** A response that includes the URL of the created object. */
export function withLocation<Shape extends object>(shape: Shape): Shape {
  return { ...shape, headers: { ...tagHeaders, ...locationHeader } }
}

/** A response that is streamed, and therefore has no ETag. */
export function withoutTag<Shape extends object>(shape: Shape, headers: Headers = {}): Shape {
  return { ...shape, headers }
}
