import { type ChildProcess, type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export const program = fileURLToPath(new URL('../../bin/catalog', import.meta.url))

/** The cache that bin/catalog sets. */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)),
}

/** The environment of a user without settings. */
export function environment(extra: Record<string, string>): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'], ...extra }
}

/** Runs the code first in every thread of the program. */
export function preloading(code: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
}

/** Starts bin/catalog, by default of this checkout, with its output on pipes. */
export function spawnCatalog(
  args: string[],
  extra: Record<string, string> = {},
  input: 'ignore' | 'pipe' = 'ignore',
  from = program,
): ChildProcessByStdio<Writable | null, Readable, Readable> {
  return spawn(from, args, {
    env: environment(extra),
    stdio: [input, 'pipe', 'pipe'],
  }) as ChildProcessByStdio<Writable | null, Readable, Readable>
}

export type Run = { code: number; stdout: string; stderr: string }

/** Runs bin/catalog to its end, with the input on its standard input. */
export function catalog(
  args: string[],
  extra: Record<string, string> = {},
  input = '',
  from = program,
): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(from, args, { env: environment(extra) }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, stdout, stderr })
    })
    // A command that rejects its arguments ends without reading.
    child.stdin?.on('error', () => {}).end(input)
  })
}

type Catalog = (args: string[], extra: Record<string, string>) => Promise<Run>

// biome-ignore lint/suspicious/noExplicitAny: tests read output of every shape
export async function jsonOf(run: Catalog, args: string[], extra: Record<string, string>): Promise<any> {
  const { code, stdout, stderr } = await run([...args, '--json'], extra)
  if (code !== 0) throw new Error(`catalog ${args.join(' ')} exited with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

export type Serving = {
  url: string
  banner: string[]
  stderr: () => string
  process: ChildProcess
  /** Sends the signal and waits until the process ends. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Starts `catalog serve` on a free port and waits for the last line of its banner. It stops when the test or the file ends. */
export async function serve(
  args: string[],
  extra: Record<string, string> = {},
  whenEnded: (stop: () => Promise<void>) => void = onTestFinished,
  from = program,
): Promise<Serving> {
  const child = spawnCatalog(['serve', '--port', '0', ...args], extra, 'ignore', from)
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    // Not `exit`: the last output may arrive after it.
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  let stderr = ''
  child.stderr.on('data', (data) => {
    stderr += data
  })
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  whenEnded(async () => {
    if (child.exitCode === null && child.signalCode === null) await stop()
  })
  const banner: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    banner.push(line)
    const url = /^listening on (.+)$/.exec(line)?.[1]
    if (url !== undefined) return { url, banner, stderr: () => stderr, process: child, stop }
  }
  throw new Error(`catalog serve ended with ${(await ended).code}: ${stderr}`)
}
