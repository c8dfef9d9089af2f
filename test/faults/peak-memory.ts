import { readFileSync } from 'node:fs'
import type { Serving } from '../processes/catalog-process.ts'

/** Of the process, in MB: the most that it ever had. Linux alone tells it. */
export function peakMemory({ process: { pid } }: Serving): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1000)
}
