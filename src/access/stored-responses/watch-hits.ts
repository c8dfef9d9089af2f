import { boundedMap } from '../../platform/bounded-map.ts'
import { responseLimits } from '../../platform/limits/responses.ts'

/** How changes drop a response: any change drops a list; a change that concerns what it follows drops a detail. */
export type ResponseKind = 'list' | 'detail'

/** Requests of one kind in one project: those of the current sample, or those that still skip the store. */
type Watched = { requests: number; hits: number; skips: number }

const maxWatched = 10_000
const { sampledRequests, skippedRequests, leastHits } = responseLimits

/**
 * A request that finds nothing in the store costs slightly more than one that does not look. So projects that rarely find anything,
 * such as those that read every product once, skip the store for a while.
 */
export function watchHits() {
  const watched = boundedMap<number, Record<ResponseKind, Watched>>(maxWatched)

  function watch(project: number, kind: ResponseKind): Watched {
    const known = watched.get(project)
    if (known !== undefined) return known[kind]
    const own = { list: createSample(), detail: createSample() }
    watched.set(project, own)
    return own[kind]
  }

  return {
    isSkipping: (project: number, kind: ResponseKind): boolean =>
      (watched.get(project)?.[kind].skips ?? 0) > 0,
    /** Call it once per request. */
    skips(project: number, kind: ResponseKind): boolean {
      const own = watched.get(project)?.[kind]
      if (own === undefined || own.skips === 0) return false
      own.skips -= 1
      return true
    },
    /** While the memory is full, only requests after the one that stores a response can hit. So that one counts as a hit. */
    countAsHit(project: number, kind: ResponseKind): void {
      watch(project, kind).hits += 1
    },
    count(project: number, kind: ResponseKind, isHit: boolean): void {
      const own = watch(project, kind)
      own.requests += 1
      if (isHit) own.hits += 1
      if (own.requests < sampledRequests) return
      own.skips = own.hits < leastHits ? skippedRequests : 0
      own.requests = 0
      own.hits = 0
    },
  }
}

function createSample(): Watched {
  return { requests: 0, hits: 0, skips: 0 }
}
