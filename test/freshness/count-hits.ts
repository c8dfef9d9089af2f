import { setTimeout as sleep } from 'node:timers/promises'
import { sendRequest } from '../requests/send-request.ts'
import type { Pool } from './client.ts'

type Counts = { hits: number; requests: number }

const pollMilliseconds = 1_000
const counter = /^catalog_cache_requests_total\{result="(\w+)"\} (\d+)/gm

/** Counts the requests that the cache can serve. Polls, because a killed service takes its counters with it. */
export function countHits({ count, urlOf }: Pool) {
  const byUrl = new Map<string, Counts>()
  let isOver = false

  async function poll(place: number): Promise<void> {
    const url = await urlOf(place)
    const { text } = await sendRequest(url, { method: 'GET', path: '/metrics', headers: {} })
    const found = { hits: 0, requests: 0 }
    for (const [, result, number] of text.matchAll(counter)) {
      if (result === 'hit') found.hits += Number(number)
      found.requests += Number(number)
    }
    byUrl.set(url, found)
  }

  /** Without a service that is gone. */
  const pollAll = () => Promise.allSettled(Array.from({ length: count }, (_, place) => poll(place)))
  const ended = (async () => {
    for (; !isOver; await sleep(pollMilliseconds)) await pollAll()
  })()

  return {
    async stop(): Promise<Counts> {
      isOver = true
      await ended
      await pollAll()
      const sum = (key: keyof Counts) => byUrl.values().reduce((total, counts) => total + counts[key], 0)
      return { hits: sum('hits'), requests: sum('requests') }
    },
  }
}
