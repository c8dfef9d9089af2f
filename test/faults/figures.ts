import type { TestContext } from 'vitest'

/** What a test of a fault has to tell: how often it was tried, how often it was survived, what was lost. */
export type Figures = { tried: number; of: string; survived: number; lost: number; notes?: string[] }

declare module 'vitest' {
  interface TaskMeta {
    figures?: Figures
  }
}

/** For the report of `npm run test:faults`. A test that tells nothing counts as tried once. */
export function tell({ task }: TestContext, figures: Figures): void {
  task.meta.figures = figures
}

/** How many took no longer than was promised: the others are told as not survived. */
export function within(seconds: number, milliseconds: number[]): number {
  return milliseconds.filter((one) => one <= seconds * 1_000).length
}

/** The middle and the highest of some durations, for people. */
export function spread(milliseconds: number[]): string {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const inWords = (value = 0) =>
    value < 1_000 ? `${Math.round(value)} ms` : `${(value / 1_000).toFixed(1)} s`
  return `${inWords(sorted[Math.floor(sorted.length / 2)])} in the middle, ${inWords(sorted.at(-1))} at most`
}

/** Of a hundred, the slowest but one. */
export function percentile99(milliseconds: number[]): number {
  return milliseconds.toSorted((a, b) => a - b)[Math.floor(milliseconds.length * 0.99)] ?? 0
}
