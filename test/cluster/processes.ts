import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../../src/platform/database/embedded/process.ts'

const running = new Set<ChildProcess>()

/** Starts a program that logs to a file. It is killed when the test ends. */
export function start(
  command: string[],
  logFile: string,
  env: NodeJS.ProcessEnv = process.env,
): ChildProcess {
  const [program = '', ...words] = command
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const log = createWriteStream(logFile, { flags: 'a' })
  child.stdout?.pipe(log, { end: false })
  child.stderr?.pipe(log, { end: false })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

export function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** Polls until there is a result. Fails after the time. */
export async function until<Result>(
  what: string,
  seconds: number,
  poll: () => Promise<Result | undefined | false>,
): Promise<Result> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const result = await poll().catch(() => undefined)
    if (result !== undefined && result !== false) return result
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s`)
    await sleep(100)
  }
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

export async function killProcess(pid: number): Promise<void> {
  if (!isAlive(pid)) return
  process.kill(pid, 'SIGKILL')
  await until(`end of process ${pid}`, 10, async () => !isAlive(pid))
}
