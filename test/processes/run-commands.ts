import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '../../src/cli/run.ts'
import type { Call } from './command-runner.ts'

const endTimeoutMilliseconds = 5_000
const { stdout, stderr } = process

/** Resources that would keep the process of a single command from ending. */
async function leftOpen(before: number): Promise<string[]> {
  const deadline = Date.now() + endTimeoutMilliseconds
  for (;;) {
    const open = process.getActiveResourcesInfo()
    if (open.length <= before) return []
    if (Date.now() > deadline) return open
    await sleep(5)
  }
}

// Each message is a command. A zero byte ends its output on both streams.
process.on('message', async ({ args, environment, cwd }: Call) => {
  const before = process.getActiveResourcesInfo().length
  process.env = environment
  process.chdir(cwd)
  process.exitCode = 0
  await run(args)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal)
  const end = { code: process.exitCode, open: await leftOpen(before) }
  for (const output of [stdout, stderr]) output.write('\0')
  process.send?.(end)
})
