import type { AnswerLimits } from './answers-in-flight.ts'
import type { PageLimits } from './large-pages.ts'

const mebibyte = 1024 * 1024

/**
 * The bytes that a process holds for its clients at once, by class. What a client sends or leaves unread counts here from its
 * first byte to its last; whoever finds no room is told so. A worker has its part of what is shared, and never less than one
 * of the largest needs.
 */
export type MemoryBudget = {
  answers: AnswerLimits
  pages: PageLimits
}

/** For one process: 96 MiB of answers, and two large pages that are being made. */
export function memoryBudget(workers = 1): MemoryBudget {
  const largestPage = 8 * mebibyte
  const answers = Math.max(4 * largestPage, (96 * mebibyte) / workers)
  return {
    answers: { total: answers, perProject: answers / 2, largestPage },
    pages: {
      usualBytes: 3 * mebibyte,
      mostBytes: largestPage - mebibyte,
      atOnce: 2,
      atOncePerProject: 1,
      patienceSeconds: 10,
    },
  }
}
