import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../tree.ts'

/** Builds what is missing or stale, in a process of its own: bundlers keep memory, and read NODE_ENV. */
export function runBuild(checkout = root): void {
  const node = join(checkout, 'node_modules/.bin/node')
  execFileSync(node, ['--disable-warning=ExperimentalWarning', join(checkout, 'scripts/build/build.ts')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
