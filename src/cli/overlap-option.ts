import { InvalidArgumentError, Option } from 'commander'
import { tokenLimits } from '../access/limits.ts'
import { readOverlap } from '../access/tokens/overlap.ts'

/** --overlap of a rotation, in seconds. */
export function overlapOption(description: string): Option {
  const { overlapSeconds } = tokenLimits
  return new Option('--overlap <time>', `${description}, such as 30m, 24h or 7d`)
    .argParser(parseOverlap)
    .default(overlapSeconds, `${overlapSeconds / 3600}h`)
}

function parseOverlap(text: string): number {
  const seconds = readOverlap(text)
  if (seconds === undefined) throw new InvalidArgumentError('Use a duration such as 30m, 24h or 7d.')
  return seconds
}
