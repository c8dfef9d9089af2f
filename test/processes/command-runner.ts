import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { compileCache, environment, jsonOf, type Run } from './catalog-process.ts'

const program = fileURLToPath(new URL('./run-commands.ts', import.meta.url))

let shared: ReturnType<typeof start> | undefined

export type CommandRunner = ReturnType<typeof commandRunner>

/**
 * Runs commands one after the other in one process, which all files of a worker share, because the start of a process takes longer than
 * most commands. Where a command leaves something open, so that a process of its own would not end, it fails.
 */
export function commandRunner(usual: Record<string, string> = {}) {
  shared ??= start()
  const { run } = shared
  return {
    catalog: (args: string[], extra = usual) => run(args, extra),
    catalogJson: (args: string[], extra = usual) => jsonOf(run, args, extra),
  }
}

/** The process ends with the worker, whose end closes the channel between them. */
function start() {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    env: environment(compileCache),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let previous: Promise<unknown> = Promise.resolve()
  function run(args: string[], extra: Record<string, string>): Promise<Run> {
    const ran = previous.then(() => runNow(child, args, extra))
    previous = ran.catch(() => {})
    return ran
  }
  return { run }
}

async function runNow(child: ChildProcess, args: string[], extra: Record<string, string>): Promise<Run> {
  const end = once(child, 'message')
  child.send({ args, environment: environment(extra) })
  const outputs = [child.stdout, child.stderr] as Readable[]
  const [stdout = '', stderr = ''] = await Promise.all(outputs.map(readToZero))
  const [{ code, open }] = await end
  if (open.length > 0) throw new Error(`catalog ${args.join(' ')} leaves open: ${open.join(', ')}`)
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
