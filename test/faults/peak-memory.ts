import { readFileSync } from 'node:fs'
import type { Serving } from '../processes/catalog-process.ts'

/** The peak memory of the process in MB. Linux only. */
export function peakMemory({ process: { pid } }: Serving): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1000)
}
