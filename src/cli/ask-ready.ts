import type { IncomingMessage } from 'node:http'
import { request as tlsRequest } from 'node:https'
import type { Config } from '../config.ts'
import { http } from '../platform/http/node-http.ts'
import { commandLimits } from './limits.ts'

export type Readiness = { ready: boolean; url: string; detail: string }

/** Checks whether the service with these settings accepts requests. Every failure means not ready. */
export async function askReady(
  config: Config,
  withinMilliseconds: number = commandLimits.readyMilliseconds,
): Promise<Readiness> {
  const url = addressOf(config)
  const signal = AbortSignal.timeout(withinMilliseconds)
  try {
    const response = await ask(url, signal)
    const ready = response.statusCode === 200
    return { ready, url, detail: ready ? 'accepts requests' : await reasonIn(response) }
  } catch (error) {
    const detail = signal.aborted
      ? `no response within ${withinMilliseconds / 1000} seconds`
      : (error as Error).message
    return { ready: false, url, detail }
  }
}

/** A service that listens on all addresses is checked on loopback. */
function addressOf({ host, port, tls, tlsCert }: Config): string {
  if (port === 0) throw new Error('with port 0, the service picks its own port; use --port to specify it')
  const scheme = tls === undefined && tlsCert === undefined ? 'http' : 'https'
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}/readyz`
}

function ask(url: string, signal: AbortSignal): Promise<IncomingMessage> {
  const send = url.startsWith('https:') ? tlsRequest : http.request
  return new Promise((resolve, reject) => {
    // The certificate is for the public host name, and the request contains no secret. `catalog doctor` reports an expired
    // certificate: a supervisor cannot fix it by restarting the service.
    send(url, { agent: false, rejectUnauthorized: false, signal }, resolve).on('error', reject).end()
  })
}

/** The problem's detail if the service responded; another program may listen on the port. */
async function reasonIn(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of response.setEncoding('utf8')) {
    text += part
    if (text.length > commandLimits.readyBytes) break
  }
  const isProblem = response.headers['content-type']?.startsWith('application/problem+json') === true
  const { detail } = isProblem ? (JSON.parse(text) as { detail?: string }) : {}
  return detail ?? `status ${response.statusCode}, which is not a response of Catalog Service`
}
