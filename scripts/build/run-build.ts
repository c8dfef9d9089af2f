import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../tree.ts'

/** Builds what is missing or stale in a separate process, because bundlers keep memory and read NODE_ENV. */
export function runBuild(checkout = root): void {
  execFileSync(join(checkout, 'scripts/build/run'), { stdio: ['ignore', 'inherit', 'inherit'] })
}
