import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from '../../processes/catalog-process.ts'
import { temporaryFolder } from '../../setup/temporary-folder.ts'
import { type Acknowledged, type Client, retryMilliseconds } from '../client.ts'

/** Runs `catalog` with the arguments. */
export type RunCommand = (args: string[]) => Promise<Run>
export type Commands = ReturnType<typeof openCommands>

/** More than a failover takes. */
const mostAttempts = 200

/** Writes of a project by commands, which connect to the database themselves. */
export function openCommands(runCommand: RunCommand, { project, rejected }: Client) {
  const folder = temporaryFolder()
  let files = 0

  /** Repeats the command until it succeeds, because the database can be gone. */
  async function run(args: string[], isDone = (_run: Run) => false): Promise<Acknowledged | undefined> {
    const at = `catalog ${args.join(' ')}`
    const start = performance.now()
    for (let attempt = 1; ; attempt += 1) {
      const done = await runCommand([...args, '--json'])
      if (done.code === 0 || (attempt > 1 && isDone(done)))
        return { body: undefined, interval: { start, end: performance.now(), at } }
      if (attempt === mostAttempts) return void rejected.push(`${at}: ${done.stdout}${done.stderr}`)
      await sleep(retryMilliseconds)
    }
  }

  return {
    async importLine(line: object): Promise<Acknowledged | undefined> {
      files += 1
      const file = join(folder, `${files}.ndjson`)
      writeFileSync(file, JSON.stringify(line))
      try {
        return await run(['import', file, '--project', String(project)])
      } finally {
        rmSync(file)
      }
    },
    /** A repetition does not find the product that the first try has erased. */
    erase: (id: number) =>
      run(['product', 'erase', '--project', String(project), '--id', String(id), '--yes'], ({ stderr }) =>
        stderr.includes(`no product ${id}`),
      ),
    setPlan: (plan: string) => run(['project', 'set', String(project), '--plan', plan]),
  }
}
