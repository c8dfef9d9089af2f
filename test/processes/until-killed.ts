import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { compileCache, environment } from './catalog-process.ts'

/** Runs a program in this folder that kills itself at the step in its last argument. Any other end fails the test. */
export async function untilKilled(program: string, ...args: string[]): Promise<void> {
  const file = fileURLToPath(new URL(program, import.meta.url))
  const run = promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', file, ...args],
    // Reuses code that commands have compiled.
    { env: environment(compileCache) },
  )
  await expect(run, args.at(-1) ?? '').rejects.toMatchObject({ signal: 'SIGKILL' })
}
