import { InvalidArgumentError } from 'commander'
import { readOverlap } from '../access/tokens/overlap.ts'

/** A time such as 24h, in seconds. */
export function parseDuration(text: string): number {
  const seconds = readOverlap(text)
  if (seconds === undefined) throw new InvalidArgumentError('a time looks like 30m, 24h or 7d.')
  return seconds
}
