import type { TestContext } from 'vitest'

/** How often a fault test caused its fault, how often the service survived it, and what was lost. */
export type Figures = { tried: number; of: string; survived: number; lost: number; notes?: string[] }

declare module 'vitest' {
  interface TaskMeta {
    figures?: Figures
  }
}

/** For the report of `npm run test:faults`. A test without figures counts as one. */
export function recordFigures({ task }: TestContext, figures: Figures): void {
  task.meta.figures = figures
}

/** How many took no longer than promised. The others count as not survived. */
export function within(seconds: number, milliseconds: number[]): number {
  return milliseconds.filter((one) => one <= seconds * 1_000).length
}

/** The median and the maximum of some durations, for people. */
export function spread(milliseconds: number[]): string {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const inWords = (value = 0) =>
    value < 1_000 ? `${Math.round(value)} ms` : `${(value / 1_000).toFixed(1)} s`
  return `median ${inWords(sorted[Math.floor(sorted.length / 2)])}, maximum ${inWords(sorted.at(-1))}`
}

export function percentile99(milliseconds: number[]): number {
  return milliseconds.toSorted((a, b) => a - b)[Math.floor(milliseconds.length * 0.99)] ?? 0
}
