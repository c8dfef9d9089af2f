import { Agent } from 'node:http'
import { sendRequest, type TestResponse } from '../requests/send-request.ts'
import type { FuzzedRequest } from './fuzz-requests.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

export function send(serviceUrl: string, request: FuzzedRequest): Promise<TestResponse> {
  return sendRequest(serviceUrl, request, agent)
}

/** For failure messages: enough to repeat the request. */
export function describeRequest({ method, path, headers, body }: FuzzedRequest): string {
  const { authorization: _token, cookie: _session, ...shown } = headers
  const text = body === undefined ? '' : ` ${JSON.stringify(body.toString('latin1').slice(0, 1000))}`
  return `${method} ${path} ${JSON.stringify(shown)}${text}`
}
