import { limitConcurrency } from '../../scheduling/concurrency-limit.ts'

export type ExpensiveReads = ReturnType<typeof limitExpensiveReads>

/** Reads that take seconds: one of each kind at a time per worker. Projects take turns, and a read that waits too long is rejected. */
export function limitExpensiveReads() {
  const one = { most: 1, maxWaitSeconds: 20, maxWaiting: 20, maxWaitingPerProject: 5 }
  return {
    /** Scores or checks thousands of products on the thread that serves all requests. */
    previews: limitConcurrency(one),
    /** Reads millions of values on a connection that pushes also need. */
    suggestions: limitConcurrency(one),
    /** Fills a prompt with thousands of products on the thread that serves all requests. */
    runPreviews: limitConcurrency(one),
    /** Reads all names of a project, and compares thousands of them on the thread that serves all requests. */
    duplicates: limitConcurrency(one),
  }
}
