import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
export type TlsAnswer = { status: number | undefined; headers: IncomingHttpHeaders; body: any; text: string }

/** A request over a connection of its own, checked against one trusted certificate; fetch cannot be told of one. */
export function tlsCall(
  url: string,
  { ca, headers = {}, method = 'GET' }: { ca?: string; headers?: OutgoingHttpHeaders; method?: string } = {},
): Promise<TlsAnswer> {
  // A Host header of the test's own must not change whose certificate is expected.
  const servername = headers['host'] === undefined ? {} : { servername: 'localhost' }
  const send = url.startsWith('https:') ? tlsRequest : plainRequest
  return new Promise((resolve, reject) => {
    const asking = send(
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
    asking.on('error', reject).end()
  })
}
