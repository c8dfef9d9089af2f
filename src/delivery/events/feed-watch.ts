import type { Database, Writable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { rateLimited } from '../../platform/http/limits/rate-limit.ts'
import { shareRuns } from '../../platform/scheduling/batcher.ts'
import { limitConcurrency } from '../../platform/scheduling/concurrency-limit.ts'
import { eventLimits } from '../limits.ts'
import { numberEvents } from './number-events.sql.ts'

export type FeedWatch = ReturnType<typeof watchFeed>

export type WatchLimits = {
  /** Polls and streams that wait at once, in all and of one project. */
  most: number
  maxPerProject: number
}

/** What is known of a project's feed: its head at the last look, and how often it has moved since this process watches it. */
type Watched = { head: number | undefined; moves: number; waiting: Set<() => void> }

/** Another process may be numbering, for a moment. */
const patienceMilliseconds = 500
const mostWatched = 10_000

/**
 * Numbers what this process wrote, and wakes those who wait for it. What other processes number is seen by one statement for all
 * who wait. Nobody who waits holds a connection.
 */
export function watchFeed(database: Database, { most, maxPerProject }: WatchLimits) {
  const watched = new Map<number, Watched>()
  const places = limitConcurrency({ most, maxPerProject, patienceSeconds: 0 })
  let isLeaving = false
  let gathering: NodeJS.Timeout | undefined
  let looking: NodeJS.Timeout | undefined
  const numberNow = shareRuns(() => {
    clearTimeout(gathering)
    gathering = undefined
    return number(database, patienceMilliseconds)
  })

  function of(projectId: number): Watched {
    if (watched.size >= mostWatched)
      for (const [id, { waiting }] of watched) if (waiting.size === 0) watched.delete(id)
    return watched.getOrInsertComputed(projectId, () => ({ head: undefined, moves: 0, waiting: new Set() }))
  }

  function wake(projectId: number): void {
    const found = watched.get(projectId)
    if (found === undefined) return
    found.moves += 1
    for (const resolve of found.waiting) resolve()
  }

  async function number(numbering: Writable, patience?: number): Promise<void> {
    for (const project of await numberEvents(numbering, patience)) wake(project)
  }

  function someoneWaits(): boolean {
    return watched.values().some(({ waiting }) => waiting.size > 0)
  }

  /** Another process may have written what nobody has numbered yet. */
  async function look(): Promise<void> {
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

  /** Looks again and again while somebody waits. A database that is away is asked again. */
  function keepLooking(): void {
    looking ??= setTimeout(async () => {
      await look().catch(() => {})
      looking = undefined
      if (someoneWaits()) keepLooking()
    }, eventLimits.pollMilliseconds)
  }

  return {
    /** Numbers what is committed. */
    number: (numbering: Writable): Promise<void> => number(numbering),
    /** The same for a reader, who is answered also where nothing can be numbered just now. */
    numberForReader: (): Promise<void> => numberNow().catch(() => {}),
    /** Something may have been written. Where nobody waits for it, whoever reads it next numbers it, or the next second does. */
    wrote(): void {
      if (isLeaving || !someoneWaits()) return
      gathering ??= setTimeout(() => void numberNow().catch(() => {}), eventLimits.gatherMilliseconds)
    },
    /** How often the feed has moved: asked before a read, it tells whether something came after the read began. */
    moves: (projectId: number): number => of(projectId).moves,
    /** Resolves when the project has something new, the time is over, the signal says so, or the process is about to end. */
    changed(projectId: number, signal: AbortSignal, milliseconds: number, since?: number): Promise<void> {
      const { waiting, moves } = of(projectId)
      if (isLeaving || signal.aborted || (since !== undefined && moves !== since)) return Promise.resolve()
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
        keepLooking()
      })
    },
    /** A place among those who wait; the returned function gives it back. */
    enter(projectId: number): () => void {
      const leave = places.tryEnter(projectId)
      if (leave === undefined) throw tooManyWaiting(maxPerProject)
      return leave
    },
    isLeaving: () => isLeaving,
    /** The process is about to end: nobody waits any longer. */
    leave(): void {
      isLeaving = true
      clearTimeout(gathering)
      clearTimeout(looking)
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
