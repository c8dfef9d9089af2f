import type { IncomingMessage } from 'node:http'
import { request as tlsRequest } from 'node:https'
import type { Config } from '../config.ts'
import { http } from '../platform/http/node-http.ts'

export type Readiness = { ready: boolean; url: string; detail: string }

const longestMilliseconds = 3_000
const longestAnswer = 64 * 1024

/** Asks the service that listens by these settings whether it takes requests. Every way to fail is an answer too: not ready. */
export async function askReady(config: Config, withinMilliseconds = longestMilliseconds): Promise<Readiness> {
  const url = addressOf(config)
  const signal = AbortSignal.timeout(withinMilliseconds)
  try {
    const answer = await ask(url, signal)
    const ready = answer.statusCode === 200
    return { ready, url, detail: ready ? 'takes requests' : await reasonIn(answer) }
  } catch (error) {
    const detail = signal.aborted
      ? `no answer within ${withinMilliseconds / 1000} seconds`
      : (error as Error).message
    return { ready: false, url, detail }
  }
}

/** A service that listens on all addresses is asked by loopback. */
function addressOf({ host, port, tls, tlsCert }: Config): string {
  if (port === 0) throw new Error('with port 0 nobody knows where the service listens; give its --port')
  const scheme = tls === undefined && tlsCert === undefined ? 'http' : 'https'
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}/readyz`
}

function ask(url: string, signal: AbortSignal): Promise<IncomingMessage> {
  const send = url.startsWith('https:') ? tlsRequest : http.request
  return new Promise((resolve, reject) => {
    // The certificate is for the name that clients use, and the question holds no secret. One that has ended is for the doctor
    // to tell: a supervisor that starts the service again would mend nothing.
    send(url, { agent: false, rejectUnauthorized: false, signal }, resolve).on('error', reject).end()
  })
}

/** The detail of the problem where the service itself answered; something else may listen there. */
async function reasonIn(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of answer.setEncoding('utf8')) {
    text += part
    if (text.length > longestAnswer) break
  }
  const isProblem = answer.headers['content-type']?.startsWith('application/problem+json') === true
  const { detail } = isProblem ? (JSON.parse(text) as { detail?: string }) : {}
  return detail ?? `status ${answer.statusCode}, which is no answer of a catalog service`
}
