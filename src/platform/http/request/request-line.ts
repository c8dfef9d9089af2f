import type { FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'

// Bytes after a request with invalid framing could be read as another request.
const headers = { connection: 'close' }

/** Rejects what Node's parser accepts but a proxy could interpret differently. */
export function rejectBadRequestLine({ raw, method }: FastifyRequest): void {
  const { httpVersion, url = '' } = raw
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    throw new Problem('unsupported_http_version', { headers })
  if (httpVersion === '1.0' && raw.headers['transfer-encoding'] !== undefined)
    throw new Problem('malformed_request', {
      detail: 'HTTP/1.0 does not support Transfer-Encoding.',
      headers,
    })
  if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS'))
    throw new Problem('malformed_request', { detail: 'The request target must start with a slash.', headers })
}
