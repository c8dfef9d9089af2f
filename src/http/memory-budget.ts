import type { ConcurrencyLimits } from '../database/concurrency-limit.ts'
import type { BodyLimits } from './admission.ts'
import type { AnswerLimits } from './answers-in-flight.ts'
import type { PageLimits } from './large-pages.ts'

const mebibyte = 1024 * 1024

export const largestPushBytes = 64 * mebibyte
const largestPageBytes = 8 * mebibyte

/** The bytes that a process holds for its clients at once, by class. Whoever finds no room waits, or is told to come again. */
export type MemoryBudget = {
  /** Pushes, from their first byte until their last line is written. */
  bodies: BodyLimits
  /** Answers that wait to be read. */
  answers: AnswerLimits
  /** Large pages that are being made; each weighs about five times its bytes until it is text. */
  pages: PageLimits
  /** Long lists of prompt versions, each with a batch or two of 1 MiB; they hold no connection. */
  versions: ConcurrencyLimits
}

/**
 * In one process: 177 MiB of bodies (17 first parts, 96 beyond them, and one whole push), 144 MiB of answers (96 to reads, 48 to writes), two large pages,
 * eight lists of versions. Workers divide bodies and answers among them; each keeps room for the largest of either.
 */
export function memoryBudget(workers = 1): MemoryBudget {
  const share = (total: number, least: number, projects: number) => {
    const own = Math.max(least, Math.floor(total / workers))
    return { total: own, perProject: own / projects }
  }
  return {
    bodies: {
      firstBytes: mebibyte,
      first: share(16 * mebibyte, 4 * mebibyte, 4),
      rest: share(96 * mebibyte, 16 * mebibyte, 2),
      stepBytes: mebibyte / 4,
      patienceSeconds: 20,
    },
    // A page and its compressor must fit into a project's part.
    answers: { ...share(96 * mebibyte, 6 * largestPageBytes, 4), largestPage: largestPageBytes },
    pages: {
      usualBytes: 3 * mebibyte,
      // What surrounds the items, and the escapes that JSON needs, come on top.
      mostBytes: largestPageBytes - mebibyte,
      atOnce: 2,
      atOncePerProject: 1,
      patienceSeconds: 10,
    },
    versions: { most: 8, mostOfProject: 4, patienceSeconds: 10 },
  }
}
