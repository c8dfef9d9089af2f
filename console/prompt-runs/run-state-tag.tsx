import { Tag } from '../parts/badges.tsx'
import type { Run } from '../wire.ts'
import { strings } from './strings.ts'

const tones = {
  sampling: 'yellow',
  waiting: 'yellow',
  running: 'yellow',
  done: 'accent',
  stopped_at_budget: 'red',
  paused: 'gray',
  cancelled: 'gray',
  failed: 'red',
} as const satisfies Record<Run['state'], string>

export function RunStateTag({ state }: { state: Run['state'] }) {
  return <Tag tone={tones[state]}>{strings.states[state]}</Tag>
}

/** Products that need no further call. */
export function processedOf({ done, failed, declined, skipped }: Run): number {
  return done + failed + declined + skipped
}
