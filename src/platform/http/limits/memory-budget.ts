import { memoryLimits } from '../../limits/memory.ts'
import { requestLimits } from '../../limits/requests.ts'
import { responseLimits } from '../../limits/responses.ts'
import type { ConcurrencyLimits } from '../../scheduling/concurrency-limit.ts'
import type { BodyLimits } from '../body/body-memory.ts'
import type { PageLimits } from '../response/large-pages.ts'
import type { InFlightLimits } from '../response/responses-in-flight.ts'

const mebibyte = 1024 * 1024

/** The bytes that a process holds for its clients at once, by class. Whoever finds no room waits, or is told to come again. */
export type MemoryBudget = {
  /** Pushes, from their first byte until their last line is written. */
  bodies: BodyLimits
  /** Pushes whose lines are read, which weigh more than their bytes; the others have arrived and wait. */
  pushes: ConcurrencyLimits
  /** Answers that wait to be read. */
  answers: InFlightLimits
  /** Large pages that are being made; each weighs about five times its bytes until it is text. */
  pages: PageLimits
  /** Long lists of prompt versions, each with a batch or two of 1 MiB; they hold no connection. */
  versions: ConcurrencyLimits
  /** Polls and streams of events that wait; a stream holds a batch until its client has taken it. */
  events: { most: number; maxPerProject: number; batchBytes: number }
  /** Pages of events that are being read and written. */
  feedReads: ConcurrencyLimits
}

/**
 * In one process: 177 MiB of bodies (17 first parts, 96 beyond them, and one whole push), 144 MiB of answers (96 to reads, 48 to
 * writes), two large pages, eight lists of versions, 32 MiB of events. Workers divide bodies and answers among them; each keeps room for the
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
      patienceSeconds: memoryLimits.pushWaitSeconds,
    },
    pushes: { most: memoryLimits.pushes, maxPerProject: memoryLimits.pushesOfProject, patienceSeconds: 0 },
    // A page and its compressor must fit into a project's part.
    answers: {
      ...share(memoryLimits.responseBytes, 6 * responseLimits.pageBytes, 4),
      largestPage: responseLimits.pageBytes,
    },
    pages: {
      usualBytes: 3 * mebibyte,
      // What surrounds the items, and the escapes that JSON needs, come on top.
      mostBytes: responseLimits.pageBytes - mebibyte,
      atOnce: memoryLimits.largePages,
      atOncePerProject: 1,
      patienceSeconds: memoryLimits.readWaitSeconds,
    },
    versions: {
      most: memoryLimits.versionLists,
      maxPerProject: memoryLimits.versionListsOfProject,
      patienceSeconds: memoryLimits.readWaitSeconds,
    },
    events: {
      most: memoryLimits.eventReaders,
      maxPerProject: memoryLimits.eventReadersOfProject,
      batchBytes: mebibyte / 8,
    },
    feedReads: {
      most: memoryLimits.eventPages,
      maxPerProject: memoryLimits.eventPagesOfProject,
      patienceSeconds: memoryLimits.readWaitSeconds,
    },
  }
}

const bytesPerPush = 16 * mebibyte
const bytesPerVersions = 2 * mebibyte
const weightOfPage = 5

/** What all workers together may hold for their clients, the parts that go beyond a share included. */
export function budgetBytes(workers: number): number {
  const { bodies, pushes, answers, pages, versions, events } = memoryBudget(workers)
  const arriving = bodies.first.total + bodies.firstBytes + bodies.rest.total + requestLimits.pushBytes
  const unread = answers.total * 1.5
  const made = pages.atOnce * pages.mostBytes * weightOfPage
  const kept = versions.most * bytesPerVersions + events.most * events.batchBytes
  return workers * (arriving + pushes.most * bytesPerPush + unread + made + kept)
}

/** A sentence where the budget of so many workers is more than there is; undefined where it fits. */
export function findMemoryShortage(workers: number, availableBytes: number): string | undefined {
  const [held, available] = [budgetBytes(workers), availableBytes].map((bytes) =>
    Math.round(bytes / mebibyte),
  )
  if ((held ?? 0) <= (available ?? 0)) return undefined
  const who = workers === 1 ? 'the service' : `${workers} workers`
  return `${who} may hold ${held} MiB for clients, and this machine has ${available} MiB`
}
