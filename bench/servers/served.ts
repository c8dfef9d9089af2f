import { spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export type Served = { url: string; pid: number; stop: () => Promise<unknown> }

/** Starts a program that prints `listening on <url>`. */
export async function serveProgram(
  program: string,
  args: string[],
  log?: string,
  environment: Record<string, string> = {},
): Promise<Served> {
  const child = spawn(program, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', log === undefined ? 'inherit' : openSync(log, 'a')],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    const url = /^listening on (.+)$/.exec(line)?.[1]
    if (url === undefined) continue
    const stop = () => {
      child.kill('SIGTERM')
      return ended
    }
    return { url, pid: child.pid ?? 0, stop }
  }
  throw new Error(`${program} did not start: ${log === undefined ? '' : readFileSync(log, 'utf8')}`)
}

/** Starts the service as users run it, with its log in a file in the data folder. */
export function serveCatalog(
  folder: string,
  extra: string[] = [],
  environment: Record<string, string> = {},
): Promise<Served> {
  const args = ['serve', '--port', '0', '--data', folder, ...extra]
  const program = fileURLToPath(new URL('../../bin/catalog', import.meta.url))
  return serveProgram(program, args, join(folder, 'service.log'), environment)
}

/** Starts a bare node:http server that returns this body for every request. */
export function serveBare(body: string): Promise<Served> {
  return serveProgram(process.execPath, [fileURLToPath(new URL('bare-server.ts', import.meta.url)), body])
}
