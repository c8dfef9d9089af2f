import { setTimeout as sleep } from 'node:timers/promises'
import type { CatalogEvent } from '../../src/delivery/events/event.schema.ts'
import { bearer } from '../processes/served-shop.ts'
import type { Services } from './several-services.ts'

type Page = { results: CatalogEvent[]; cursor: string; head: string }

/** The complete feed, from the beginning to its head. */
export async function readFeed(services: Services, token: string): Promise<CatalogEvent[]> {
  const events: CatalogEvent[] = []
  for (let after = '0'; ; ) {
    const page = await readPage(await services.urlOf(0), token, `after=${after}&limit=1000`)
    events.push(...page.results)
    if (page.cursor === page.head) return events
    after = page.cursor
  }
}

/** A client that follows the feed only by its cursor, from any running service. */
export function followFeed(services: Services, token: string) {
  const events: CatalogEvent[] = []
  let after = '0'
  let isStopped = false
  async function follow(): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      // A page that was requested before the last write may not include it.
      const isLate = isStopped
      const query = `after=${after}&wait=${isLate ? 0 : 1}&limit=50`
      const page = await readPage(await services.urlOf(turn), token, query).catch((error) => {
        if (error instanceof UnexpectedResponse) throw error
      })
      if (page === undefined) await sleep(5)
      else {
        events.push(...page.results)
        after = page.cursor
        if (isLate && page.cursor === page.head) return
      }
    }
  }
  const ended = follow()
  return {
    /** Returns all received events, up to the head. */
    async stop(): Promise<CatalogEvent[]> {
      isStopped = true
      await ended
      return events
    },
  }
}

class UnexpectedResponse extends Error {}

async function readPage(url: string, token: string, query: string): Promise<Page> {
  const response = await fetch(`${url}/v2/events?${query}`, { headers: bearer(token) })
  const text = await response.text()
  if (response.status === 503) throw new Error('not ready')
  if (!response.ok) throw new UnexpectedResponse(`${query}: ${response.status} ${text}`)
  return JSON.parse(text)
}
