import type { Database, TransactionLimits, Writable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { rateLimited } from '../../platform/http/limits/rate-limit.ts'
import { shareRuns } from '../../platform/scheduling/batcher.ts'
import { limitConcurrency } from '../../platform/scheduling/concurrency-limit.ts'
import { eventLimits } from '../limits.ts'
import { numberEvents } from './number-events.sql.ts'

export type FeedWatch = ReturnType<typeof watchFeed>

export type WatchLimits = {
  /** Polls and streams that wait at the same time, in total and per project. */
  most: number
  maxPerProject: number
}

/** The feed of a project: its head at the last poll, and a counter of its changes in this process. */
type Watched = { head: number | undefined; revision: number; waiting: Set<() => void> }

const maxWatched = 10_000

/**
 * Numbers the events that this process wrote, and wakes waiting readers. One statement for all waiting readers detects the events of other
 * processes. Waiting readers hold no database connection.
 */
export function watchFeed(database: Database, { most, maxPerProject }: WatchLimits) {
  const watched = new Map<number, Watched>()
  const slots = limitConcurrency({ most, maxPerProject, maxWaitSeconds: 0 })
  let isClosing = false
  let gathering: NodeJS.Timeout | undefined
  let polling: NodeJS.Timeout | undefined
  const numberNow = shareRuns(() => {
    clearTimeout(gathering)
    gathering = undefined
    return number(database, { lockTimeoutMilliseconds: eventLimits.numberingWaitMilliseconds })
  })

  /** No request waits for it, so it uses no connections of requests, and leaves the work to a process that is numbering. */
  const numberLater = shareRuns(() => {
    gathering = undefined
    return number(database.background)
  })

  function of(projectId: number): Watched {
    if (watched.size >= maxWatched)
      for (const [id, { waiting }] of watched) if (waiting.size === 0) watched.delete(id)
    return watched.getOrInsertComputed(projectId, () => ({
      head: undefined,
      revision: 0,
      waiting: new Set(),
    }))
  }

  function wake(projectId: number): void {
    const found = watched.get(projectId)
    if (found === undefined) return
    found.revision += 1
    for (const resolve of found.waiting) resolve()
  }

  async function number(numbering: Writable, waitLimits?: TransactionLimits): Promise<void> {
    for (const project of await numberEvents(numbering, waitLimits)) wake(project)
  }

  function hasWaiting(): boolean {
    return watched.values().some(({ waiting }) => waiting.size > 0)
  }

  /** Also numbers events that another process has written but not numbered. */
  async function poll(): Promise<void> {
    await numberNow()
    const ids = [...watched].flatMap(([id, { waiting }]) => (waiting.size > 0 ? [id] : []))
    if (ids.length === 0) return
    const heads = await database.query(sql<{ id: number; head: number }>`
      select id, coalesce((select max(number) from event_feed where project_id = id), 0) as head
      from unnest(${ids}::bigint[]) as id`)
    for (const { id, head } of heads) {
      const found = watched.get(id)
      if (found === undefined || found.head === head) continue
      found.head = head
      wake(id)
    }
  }

  /** Polls while readers wait, also after database errors. */
  function keepPolling(): void {
    polling ??= setTimeout(async () => {
      await poll().catch(() => {})
      polling = undefined
      if (hasWaiting()) keepPolling()
    }, eventLimits.pollMilliseconds)
  }

  return {
    /** Numbers the committed events. */
    number: (numbering: Writable): Promise<void> => number(numbering),
    /** Numbers the committed events for a reader. The read continues even if numbering fails. */
    numberForReader: (): Promise<void> => numberNow().catch(() => {}),
    /** Call it after a write. If no reader waits, the next read or the next timer numbers the events. */
    notifyWrite(): void {
      if (isClosing || !hasWaiting()) return
      gathering ??= setTimeout(() => void numberNow().catch(() => {}), eventLimits.gatherMilliseconds)
    },
    /** For reads that do not wait: numbers the events that they found, soon and together with others. */
    numberSoon(): void {
      if (!isClosing)
        gathering ??= setTimeout(() => void numberLater().catch(() => {}), eventLimits.gatherMilliseconds)
    },
    /** Changes with the feed. Read it before a read, and pass it to `waitForChange` to detect changes since then. */
    revision: (projectId: number): number => of(projectId).revision,
    /** Resolves when the feed has changed, after the timeout, on abort, or when the process closes. */
    waitForChange(
      projectId: number,
      signal: AbortSignal,
      milliseconds: number,
      since?: number,
    ): Promise<void> {
      const { waiting, revision } = of(projectId)
      if (isClosing || signal.aborted || (since !== undefined && revision !== since)) return Promise.resolve()
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          waiting.delete(end)
          resolve()
        }
        const timer = setTimeout(end, milliseconds)
        signal.addEventListener('abort', end)
        waiting.add(end)
        keepPolling()
      })
    },
    /** Takes a slot for a waiting reader; the returned function releases it. */
    enter(projectId: number): () => void {
      const release = slots.tryEnter(projectId)
      if (release === undefined) throw tooManyWaiting(maxPerProject)
      return release
    },
    isClosing: () => isClosing,
    /** Wakes all waiting readers, because the process is about to end. */
    close(): void {
      isClosing = true
      clearTimeout(gathering)
      clearTimeout(polling)
      for (const { waiting } of watched.values()) for (const resolve of waiting) resolve()
    },
  }
}

function tooManyWaiting(most: number): Error {
  return rateLimited(
    eventLimits.retryAfterSeconds,
    `The project has ${most} waiting polls and event streams, or the service has reached its own limit; end one, or poll without wait.`,
  )
}
