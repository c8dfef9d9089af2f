import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { compileCache, environment, jsonOf, type Run } from './catalog-process.ts'

const runner = fileURLToPath(new URL('./run-commands.ts', import.meta.url))

export type CommandRunner = ReturnType<typeof startCommandRunner>

/**
 * One process that runs the commands of a file of tests one after the other, because the start of a process takes longer than most
 * commands. Where a command leaves something open, so that a process of its own would not end, it fails.
 */
export function startCommandRunner(usual: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', runner], {
    env: environment(compileCache),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const outputs = [child.stdout, child.stderr].map((output) => (output as Readable).setEncoding('utf8'))
  const ended = once(child, 'exit')
  afterAll(async () => {
    child.disconnect()
    await ended
  })
  let previous: Promise<unknown> = Promise.resolve()

  async function runNext(args: string[], extra: Record<string, string>): Promise<Run> {
    const end = once(child, 'message')
    child.send({ args, environment: environment(extra) })
    const [stdout = '', stderr = ''] = await Promise.all(outputs.map(readToZero))
    const [{ code, open }] = await end
    if (open.length > 0) throw new Error(`catalog ${args.join(' ')} leaves open: ${open.join(', ')}`)
    return { code, stdout, stderr }
  }

  function catalog(args: string[], extra = usual): Promise<Run> {
    const run = previous.then(() => runNext(args, extra))
    previous = run.catch(() => {})
    return run
  }
  return { catalog, catalogJson: (args: string[], extra = usual) => jsonOf(catalog, args, extra) }
}

async function readToZero(output: Readable): Promise<string> {
  let text = ''
  for await (const part of output.iterator({ destroyOnReturn: false })) {
    text += part
    if (text.endsWith('\0')) return text.slice(0, -1)
  }
  throw new Error(`the process that runs commands ended: ${text}`)
}
