import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type Served = { url: string; pid: number; stop: () => Promise<unknown> }

/** A program that prints `listening on <url>`, as a process of its own. */
export async function serveProgram(program: string, args: string[]): Promise<Served> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (.+)$/.exec(line)?.[1]
    if (url === undefined) continue
    const stop = () => {
      child.kill('SIGTERM')
      return ended
    }
    return { url, pid: child.pid ?? 0, stop }
  }
  throw new Error(`${program} did not start`)
}

/** The service as users run it. */
export function serveCatalog(folder: string, extra: string[] = []): Promise<Served> {
  const args = ['serve', '--port', '0', '--log-level', 'silent', '--data', folder, ...extra]
  return serveProgram(fileURLToPath(new URL('../bin/catalog', import.meta.url)), args)
}

/** node:http and nothing else: it answers every request with this body. */
export function serveBare(body: string): Promise<Served> {
  return serveProgram(process.execPath, [fileURLToPath(new URL('bare-server.ts', import.meta.url)), body])
}
