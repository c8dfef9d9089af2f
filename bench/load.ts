import autocannon from 'autocannon'

export type Measured = { perSecond: number; p50: number; p99: number }
/** One path, or a function that chooses one per request. */
export type Path = string | (() => string)
export type Write = { method: 'POST' | 'PATCH'; path: () => string; body: () => object }

export const connections = 32

/** Requests per second and latencies with 32 connections, each with one request at a time. */
export async function load(
  url: string,
  token: string,
  request: Path | Write,
  seconds: number,
): Promise<Measured> {
  const times: number[] = []
  const { non2xx, errors } = await new Promise<autocannon.Result>((resolve, reject) => {
    const options = {
      url,
      connections,
      duration: seconds,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      requests: [{ setupRequest: prepare(request) }],
    }
    const running = autocannon(options, (error, result) => (error === null ? resolve(result) : reject(error)))
    running.on('response', (_client, _status, _bytes, milliseconds) => times.push(milliseconds))
  })
  if (non2xx + errors > 0) throw new Error(`${non2xx} error responses, ${errors} requests without a response`)
  return summarize(times, seconds)
}

function prepare(request: Path | Write): (blank: autocannon.Request) => autocannon.Request {
  if (typeof request === 'string') return (blank) => ({ ...blank, path: request })
  if (typeof request === 'function') return (blank) => ({ ...blank, path: request() })
  const { method, path, body } = request
  return (blank) => ({ ...blank, method, path: path(), body: JSON.stringify(body()) })
}

export function summarize(times: number[], seconds: number): Measured {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) }
}
