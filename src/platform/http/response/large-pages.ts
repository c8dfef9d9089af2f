import type { Page, PageRequest } from '../../database/statements/select-page.ts'
import { limitConcurrency } from '../../scheduling/concurrency-limit.ts'
import { Problem } from '../problems.ts'

export type PageLimits = {
  /** Pages up to this size are read without waiting. */
  usualBytes: number
  /** Larger pages wait for their turn; pages above this size are rejected. */
  maxBytes: number
  atOnce: number
  atOncePerProject: number
  maxWaitSeconds: number
}

/** Reads a page of rows that can be large, with a statement that withholds rows above the given size. */
export type ReadLargePage = <Row>(
  projectId: number,
  page: PageRequest,
  read: (maxBytes: number) => Promise<Page<Row>>,
  signal: AbortSignal,
) => Promise<Page<Row>>

export function largePageReader(limits: PageLimits): ReadLargePage {
  const { usualBytes, maxBytes, atOnce, atOncePerProject, maxWaitSeconds } = limits
  const reading = limitConcurrency({ most: atOnce, maxPerProject: atOncePerProject, maxWaitSeconds })

  return async (projectId, page, read, signal) => {
    const usual = await read(usualBytes)
    if (usual.withheld === undefined) return usual
    if (usual.maxChanges !== undefined || sum(usual.withheld) > maxBytes)
      throw pageTooLarge(page, usual, maxBytes)
    const large = await reading.run(() => read(maxBytes), projectId, signal)
    // The page may have grown since it was measured.
    if (large.withheld !== undefined) throw pageTooLarge(page, large, maxBytes)
    return large
  }
}

/** Explains which smaller pages contain the same rows. */
function pageTooLarge<Row>(
  { number, size }: PageRequest,
  { count, withheld = [], maxChanges }: Page<Row>,
  maxBytes: number,
): Problem {
  const most = maxChanges ?? maxBytes
  const smaller = largestFitting(size, withheld, most)
  const place = number === 'last' ? Math.ceil(count / size) : number
  const first = ((place - 1) * size) / smaller + 1
  const instead = `page_size=${smaller}&page=${first}`
  const [here, allowed] = [sum(withheld), most].map(maxChanges === undefined ? inMebibytes : inChanges)
  return new Problem('page_too_large', {
    detail: `The ${withheld.length} items of this page have ${here} in total, but a page can have at most ${allowed}. Request ${instead}, which starts with the same item, and follow its next links.`,
    errors: [
      {
        parameter: 'page_size',
        code: 'too_large',
        message: `results in ${here}; the first ${fitting(withheld, most)} items fit; request ${instead}`,
      },
    ],
  })
}

function inMebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}

function inChanges(changes: number): string {
  return `${changes.toLocaleString('en')} later changes to read`
}

/** A divisor of this page size, so that a smaller page starts where this page starts, and each page fits. */
function largestFitting(size: number, rowBytes: number[], maxBytes: number): number {
  for (let smaller = Math.floor(size / 2); smaller > 1; smaller -= 1) {
    if (size % smaller !== 0) continue
    const starts = Array.from({ length: Math.ceil(rowBytes.length / smaller) }, (_, index) => index * smaller)
    if (starts.every((start) => sum(rowBytes.slice(start, start + smaller)) <= maxBytes)) return smaller
  }
  return 1
}

function fitting(rowBytes: number[], maxBytes: number): number {
  let total = 0
  const over = rowBytes.findIndex((bytes) => {
    total += bytes
    return total > maxBytes
  })
  return Math.max(1, over)
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
