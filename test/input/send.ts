import { Agent } from 'node:http'
import { type Answer, sendRequest } from '../requests/send-request.ts'
import type { OddRequest } from './odd-requests.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

export function send(serviceUrl: string, odd: OddRequest): Promise<Answer> {
  return sendRequest(serviceUrl, odd, agent)
}

/** For the message of a test that failed: enough to send it again. */
export function told({ method, path, headers, body }: OddRequest): string {
  const { authorization: _token, cookie: _session, ...shown } = headers
  const text = body === undefined ? '' : ` ${JSON.stringify(body.toString('latin1').slice(0, 1000))}`
  return `${method} ${path} ${JSON.stringify(shown)}${text}`
}
