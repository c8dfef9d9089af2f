import type { FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'

// Bytes that follow a request with faulty framing may be read as another request.
const headers = { connection: 'close' }

/** Node's parser lets pass what a proxy in front may understand in another way; refused before it can matter. */
export function rejectBadRequestLine({ raw, method }: FastifyRequest): void {
  const { httpVersion, url = '' } = raw
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    throw new Problem('unsupported_http_version', { headers })
  if (httpVersion === '1.0' && raw.headers['transfer-encoding'] !== undefined)
    throw new Problem('malformed_request', { detail: 'HTTP/1.0 has no Transfer-Encoding.', headers })
  if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS'))
    throw new Problem('malformed_request', { detail: 'The address must begin with a slash.', headers })
}
