import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { bearer } from '../processes/served-shop.ts'
import { sendRequest, type TestResponse } from '../requests/send-request.ts'
import type { Random } from '../seeded-random.ts'
import type { Interval } from './registers.ts'

/** Services that share a database. */
export type Pool = { count: number; urlOf(place: number): Promise<string> }

// biome-ignore lint/suspicious/noExplicitAny: responses of every route
export type Body = any
export type Acknowledged = { body: Body; interval: Required<Interval> }
export type Client = ReturnType<typeof openClient>

const retryMilliseconds = 20
/** A killed service or database returns 503 or nothing; the first try of a write can still be in flight. */
const isRetried = ({ status, body }: TestResponse) =>
  status === 503 || ['idempotency_in_flight', 'proposal_busy'].includes(body?.code)

/** Sends the requests of one project to any of the services. */
export function openClient(pool: Pool, token: string, chance: Random) {
  const rejected: string[] = []

  async function send(method: string, path: string, headers: Record<string, string>, body?: object) {
    const place = chance.between(0, pool.count - 1)
    const url = await pool.urlOf(place)
    const start = performance.now()
    const sent = {
      method,
      path,
      headers: { ...bearer(token), ...headers },
      body: body && JSON.stringify(body),
    }
    const response = await sendRequest(url, sent).catch((error) => {
      if (error instanceof SyntaxError) throw error
      return undefined
    })
    return {
      response,
      interval: { start, end: performance.now(), at: `${method} ${path}, service ${place}` },
    }
  }

  return {
    rejected,
    /** A read, unless its service is gone. */
    async read(path: string, headers: Record<string, string>) {
      const { response, interval } = await send('GET', path, headers)
      if (response === undefined || response.status === 503) return void (await sleep(retryMilliseconds))
      if (response.status === 200 || response.status === 304) return { response, interval }
      rejected.push(`${interval.at}: ${response.status} ${response.text}`)
      return undefined
    },
    /** Repeats a write until it is acknowledged. Returns undefined if it conflicts with another write. */
    async write(method: string, path: string, body: object = {}): Promise<Acknowledged | undefined> {
      const hasKey = method === 'POST' && !/\/(bulk|merge|apply)$/.test(path)
      const headers = {
        'content-type': 'application/json',
        ...(hasKey && { 'idempotency-key': randomUUID() }),
      }
      for (let began: number | undefined; ; ) {
        const { response, interval } = await send(method, path, headers, body)
        began ??= interval.start
        // A repeated merge does not find the category that the first try has merged.
        const isMerged = response?.status === 404 && path.endsWith('/merge') && began < interval.start
        if (response !== undefined && (response.status < 300 || isMerged))
          return { body: response.body, interval: { ...interval, start: began } }
        if (response !== undefined && !isRetried(response)) {
          if (response.status !== 409) rejected.push(`${interval.at}: ${response.status} ${response.text}`)
          return undefined
        }
        await sleep(retryMilliseconds)
      }
    },
    /** A write without a repetition. Its outcome is unknown if `end` is infinite. */
    async writeOnce(method: string, path: string, body: object): Promise<Acknowledged | undefined> {
      const { response, interval } = await send(method, path, { 'content-type': 'application/json' }, body)
      if (response === undefined || response.status === 503)
        return { body: undefined, interval: { ...interval, end: Number.POSITIVE_INFINITY } }
      if (response.status < 300) return { body: response.body, interval }
      if (response.status !== 409) rejected.push(`${interval.at}: ${response.status} ${response.text}`)
      return undefined
    },
  }
}
