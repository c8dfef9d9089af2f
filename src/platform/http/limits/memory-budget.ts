import { memoryLimits } from '../../limits/memory.ts'
import { requestLimits } from '../../limits/requests.ts'
import { responseLimits } from '../../limits/responses.ts'
import type { ConcurrencyLimits } from '../../scheduling/concurrency-limit.ts'
import type { BodyLimits } from '../body/body-memory.ts'
import type { PageLimits } from '../response/large-pages.ts'
import type { InFlightLimits } from '../response/responses-in-flight.ts'

const mebibyte = 1024 * 1024

/** The memory that a process uses for its clients at once, by class. Requests beyond it wait or are rejected. */
export type MemoryBudget = {
  /** Pushes, from their first byte until their last line is written. */
  bodies: BodyLimits
  /** Pushes whose lines are parsed, which need more memory than their bytes. Other complete pushes wait. */
  pushes: ConcurrencyLimits
  /** Responses that wait for their clients. */
  responses: InFlightLimits
  /** Large pages in preparation; each needs about five times its size until it is serialized. */
  pages: PageLimits
  /** Long lists of prompt versions, each with one or two batches of 1 MiB; they hold no connection. */
  versions: ConcurrencyLimits
  /** Waiting event polls and streams; a stream holds a batch until its client has read it. */
  events: { most: number; maxPerProject: number; batchBytes: number }
  /** Event pages that are being read and written. */
  feedReads: ConcurrencyLimits
}

/**
 * In one process: 177 MiB of bodies (17 first parts, 96 beyond them, and one complete push), 144 MiB of responses (96 to reads, 48 to
 * writes), two large pages, eight lists of versions, 32 MiB of events. Workers divide bodies and responses; each reserves space for the
 * largest of either.
 */
export function memoryBudget(workers = 1): MemoryBudget {
  const share = (total: number, least: number, projects: number) => {
    const own = Math.max(least, Math.floor(total / workers))
    return { total: own, perProject: own / projects }
  }
  return {
    bodies: {
      firstBytes: mebibyte,
      first: share(memoryLimits.pushStartBytes, 4 * mebibyte, 4),
      rest: share(memoryLimits.pushRestBytes, 16 * mebibyte, 2),
      stepBytes: mebibyte / 4,
      maxWaitSeconds: memoryLimits.pushWaitSeconds,
    },
    pushes: { most: memoryLimits.pushes, maxPerProject: memoryLimits.pushesOfProject, maxWaitSeconds: 0 },
    // A page and its compressor must fit into a project's share.
    responses: {
      ...share(memoryLimits.responseBytes, 6 * responseLimits.pageBytes, 4),
      largestPage: responseLimits.pageBytes,
    },
    pages: {
      usualBytes: 3 * mebibyte,
      // The envelope and JSON escapes are added to this.
      maxBytes: responseLimits.pageBytes - mebibyte,
      atOnce: memoryLimits.largePages,
      atOncePerProject: 1,
      maxWaitSeconds: memoryLimits.readWaitSeconds,
    },
    versions: {
      most: memoryLimits.versionLists,
      maxPerProject: memoryLimits.versionListsOfProject,
      maxWaitSeconds: memoryLimits.readWaitSeconds,
    },
    events: {
      most: memoryLimits.eventReaders,
      maxPerProject: memoryLimits.eventReadersOfProject,
      batchBytes: mebibyte / 8,
    },
    feedReads: {
      most: memoryLimits.eventPages,
      maxPerProject: memoryLimits.eventPagesOfProject,
      maxWaitSeconds: memoryLimits.readWaitSeconds,
    },
  }
}

const bytesPerPush = 16 * mebibyte
const bytesPerVersions = 2 * mebibyte
const weightOfPage = 5

/** The memory that all workers together can use for their clients, including the parts beyond a share. */
export function budgetBytes(workers: number): number {
  const { bodies, pushes, responses, pages, versions, events } = memoryBudget(workers)
  const arriving = bodies.first.total + bodies.firstBytes + bodies.rest.total + requestLimits.pushBytes
  const unread = responses.total * 1.5
  const made = pages.atOnce * pages.maxBytes * weightOfPage
  const kept = versions.most * bytesPerVersions + events.most * events.batchBytes
  return workers * (arriving + pushes.most * bytesPerPush + unread + made + kept)
}

/** A warning if the budget of all workers exceeds the available memory; undefined otherwise. */
export function findMemoryShortage(workers: number, availableBytes: number): string | undefined {
  const [held, available] = [budgetBytes(workers), availableBytes].map((bytes) =>
    Math.round(bytes / mebibyte),
  )
  if ((held ?? 0) <= (available ?? 0)) return undefined
  const who = workers === 1 ? 'the service' : `${workers} workers`
  return `${who} can use ${held} MiB of memory for clients, but this machine has ${available} MiB`
}
