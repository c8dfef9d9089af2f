import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'

export type TlsResponse = {
  status: number | undefined
  headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  body: any
  text: string
}

/** A request on a new connection that trusts one certificate, which fetch does not support. */
export function tlsCall(
  url: string,
  { ca, headers = {}, method = 'GET' }: { ca?: string; headers?: OutgoingHttpHeaders; method?: string } = {},
): Promise<TlsResponse> {
  // A custom Host header must not change the expected certificate.
  const servername = headers['host'] === undefined ? {} : { servername: 'localhost' }
  const send = url.startsWith('https:') ? tlsRequest : plainRequest
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      { method, headers, agent: false, ...servername, ...(ca !== undefined && { ca }) },
      (response) => {
        response.toArray().then((parts) => {
          const text = Buffer.concat(parts).toString()
          const body =
            response.headers['content-type']?.includes('json') && text !== '' ? JSON.parse(text) : {}
          resolve({ status: response.statusCode, headers: response.headers, body, text })
        }, reject)
      },
    )
    request.on('error', reject).end()
  })
}
