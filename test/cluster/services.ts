import { type ChildProcess, execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { writeConfiguration } from './configuration.ts'
import type { Network } from './network.ts'
import { kill, start, until } from './processes.ts'

const program = fileURLToPath(new URL('../../bin/catalog', import.meta.url))
export const databaseUrl = 'postgres://catalog:catalog-of-the-test@127.0.0.1:5000/catalog'
export const clientUrl = 'http://127.0.0.1:8080'
const ports = [8081, 8082, 8083]
export const serviceUrls = ports.map((port) => `http://127.0.0.1:${port}`)

const environment = (root: string) => ({
  PATH: process.env['PATH'],
  HOME: root,
  DATABASE_URL: databaseUrl,
  CATALOG_DATA: join(root, 'service'),
})

/** Starts a proxy to the primary, as on every service host, and one for clients. */
export async function startProxies({ addresses }: Network, root: string): Promise<void> {
  const values = Object.fromEntries([
    ...addresses.map((address, index) => [`ADDRESS_${index + 1}`, address]),
    ...ports.map((port, index) => [`SERVICE_${index + 1}`, `127.0.0.1:${port}`]),
  ])
  for (const template of ['haproxy.cfg', 'haproxy-clients.cfg'] as const) {
    const file = writeConfiguration(template, root, values)
    start(['/usr/sbin/haproxy', '-db', '-f', file], join(root, `${template}.log`))
  }
}

export type Services = ReturnType<typeof startServices>

export function startServices(root: string) {
  const running: (ChildProcess | undefined)[] = ports.map(() => undefined)
  const launch = (index: number) => {
    const words = [program, 'serve', '--port', String(ports[index]), '--log-level', 'warn']
    running[index] = start(words, join(root, `service${index + 1}.log`), environment(root))
  }
  const ready = (index: number) =>
    until(`service ${index + 1}`, 90, async () => (await fetch(`${serviceUrls[index]}/readyz`)).ok)
  return {
    async startAll(): Promise<void> {
      for (const index of ports.keys()) {
        launch(index)
        await ready(index)
      }
    },
    /** Kills and restarts a service, like a crash with a supervisor. */
    async crash(index: number): Promise<void> {
      const child = running[index]
      if (child !== undefined) await kill(child)
      launch(index)
      await ready(index)
    },
  }
}

/** Runs a command of the service on the cluster. */
// biome-ignore lint/suspicious/noExplicitAny: commands print many shapes
export async function catalog(root: string, ...words: string[]): Promise<any> {
  const options = { env: environment(root), maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(program, [...words, '--json'], options)
  return JSON.parse(stdout)
}
