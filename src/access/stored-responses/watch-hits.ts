import { boundedMap } from '../../platform/bounded-map.ts'
import { responseLimits } from '../../platform/limits/responses.ts'

/** Requests of one kind in one project: those of the current sample, or those that still skip the store. */
type Watched = { requests: number; hits: number; skips: number }

const maxWatched = 10_000
const { sampledRequests, skippedRequests, leastHits } = responseLimits

/**
 * A request that finds nothing in the store costs slightly more than one that does not look. So projects that rarely find anything,
 * such as those that read every product once, skip the store for a while.
 */
export function watchHits() {
  const watched = boundedMap<string, Watched>(maxWatched)
  return {
    isSkipping: (project: number, kind: string): boolean =>
      (watched.get(`${project} ${kind}`)?.skips ?? 0) > 0,
    /** Call it once per request. */
    skips(project: number, kind: string): boolean {
      const own = watched.get(`${project} ${kind}`)
      if (own === undefined || own.skips === 0) return false
      own.skips -= 1
      return true
    },
    count(project: number, kind: string, isHit: boolean): void {
      const key = `${project} ${kind}`
      let own = watched.get(key)
      if (own === undefined) {
        own = { requests: 0, hits: 0, skips: 0 }
        watched.set(key, own)
      }
      own.requests += 1
      if (isHit) own.hits += 1
      if (own.requests < sampledRequests) return
      own.skips = own.hits < leastHits ? skippedRequests : 0
      own.requests = 0
      own.hits = 0
    },
  }
}
