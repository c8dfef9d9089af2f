import autocannon from 'autocannon'

export type Measured = { perSecond: number; p50: number; p99: number }
/** One address, or a choice made anew for every request. */
export type Path = string | (() => string)

export const connections = 32

/** Requests a second and milliseconds, with 32 connections that each wait for their answer. */
export async function load(url: string, token: string, path: Path, seconds: number): Promise<Measured> {
  const choose = typeof path === 'string' ? () => path : path
  const times: number[] = []
  const { non2xx, errors } = await new Promise<autocannon.Result>((resolve, reject) => {
    const options = {
      url,
      connections,
      duration: seconds,
      headers: { authorization: `Bearer ${token}` },
      requests: [{ setupRequest: (request: autocannon.Request) => ({ ...request, path: choose() }) }],
    }
    const running = autocannon(options, (error, result) => (error === null ? resolve(result) : reject(error)))
    running.on('response', (_client, _status, _bytes, milliseconds) => times.push(milliseconds))
  })
  if (non2xx + errors > 0)
    throw new Error(`${choose()}: ${non2xx} answers without success, ${errors} without answer`)
  return summarise(times, seconds)
}

export function summarise(times: number[], seconds: number): Measured {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) }
}
