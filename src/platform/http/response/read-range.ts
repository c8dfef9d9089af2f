import type { FileRange } from '../../file-store/file-store.ts'
import { Problem } from '../problems.ts'

const form = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * The requested part of a file; undefined for all of it. Several parts at once, and a part of another version, return the complete
 * file, as RFC 9110 allows.
 */
export function readRange(
  { range, 'if-range': version }: { range?: string | undefined; 'if-range'?: string | undefined },
  tag: string,
  bytes: number,
): FileRange | undefined {
  const [, first = '', last = ''] = form.exec(range ?? '') ?? []
  if ((first === '' && last === '') || (version !== undefined && version !== tag)) return undefined
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  // The end before the start makes the header invalid, which is different from a part that does not exist.
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  if (start > end)
    throw new Problem('range_not_satisfiable', { headers: { 'content-range': `bytes */${bytes}` } })
  return { start, end }
}
