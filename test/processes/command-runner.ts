import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { whenFileEnds } from '../setup/file-end.ts'
import { compileCache, environment, jsonOf, type Run } from './catalog-process.ts'

const program = fileURLToPath(new URL('./run-commands.ts', import.meta.url))

let shared: ReturnType<typeof start> | undefined

export type CommandRunner = ReturnType<typeof commandRunner>

/**
 * Runs commands in order in one process per worker, because starting a process takes longer than most commands. A command fails if it
 * leaves something open that would keep its own process from ending.
 */
export function commandRunner(defaults: Record<string, string> = {}) {
  shared ??= start()
  const { run } = shared
  return {
    catalog: (args: string[], extra = defaults, cwd = process.cwd()) => run(args, extra, cwd),
    catalogJson: (args: string[], extra = defaults) => jsonOf(run, args, extra),
  }
}

/** The same in a process of its own, which starts with this environment and ends with the file. */
export function ownCommandRunner(variables: Record<string, string>) {
  const { run, child } = start(variables)
  whenFileEnds(() => child.disconnect())
  return { catalogJson: (args: string[]) => jsonOf(run, args, variables) }
}

/** The process ends when the worker closes the channel. */
function start(variables: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    env: environment({ ...compileCache, ...variables }),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let previous: Promise<unknown> = Promise.resolve()
  function run(args: string[], extra: Record<string, string>, cwd = process.cwd()): Promise<Run> {
    const ran = previous.then(() => runNow(child, { args, environment: environment(extra), cwd }))
    previous = ran.catch(() => {})
    return ran
  }
  return { run, child }
}

export type Call = { args: string[]; environment: NodeJS.ProcessEnv; cwd: string }

async function runNow(child: ChildProcess, call: Call): Promise<Run> {
  const end = once(child, 'message')
  child.send(call)
  const outputs = [child.stdout, child.stderr] as Readable[]
  const [stdout = '', stderr = ''] = await Promise.all(outputs.map(readToZero))
  const [{ code, open }] = await end
  if (open.length > 0) throw new Error(`catalog ${call.args.join(' ')} left open: ${open.join(', ')}`)
  return { code, stdout, stderr }
}

async function readToZero(output: Readable): Promise<string> {
  let text = ''
  for await (const part of output.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += part
    if (text.endsWith('\0')) return text.slice(0, -1)
  }
  throw new Error(`the process that runs commands ended: ${text}`)
}
