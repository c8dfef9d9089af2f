import type pg from 'pg'
import { connectionUrl } from '../database/test-database.ts'
import { type Serving, serve } from '../processes/catalog-process.ts'

export type Services = Awaited<ReturnType<typeof startServices>>

/** Processes of `bin/catalog serve` on one database. A killed one restarts. */
export async function startServices(connection: pg.ClientConfig, count: number, more: string[] = []) {
  const environment = { DATABASE_URL: connectionUrl(connection) }
  const start = () => serve(['--log-level', 'warn', '--workers', '1', ...more], environment)
  const running: Promise<Serving>[] = Array.from({ length: count }, start)
  await Promise.all(running)
  return {
    count,
    /** The URL of one service, when it listens. */
    urlOf: async (place: number): Promise<string> => (await (running[place % count] as Promise<Serving>)).url,
    /** Kills one service. Resolves when it listens again. */
    async kill(place: number, whileGone = async () => {}): Promise<void> {
      const serving = await (running[place] as Promise<Serving>)
      const again = serving.stop('SIGKILL').then(whileGone).then(start)
      running[place] = again
      await again
    },
    /** Kills all services. Other tests cover an orderly stop. */
    async end(): Promise<void> {
      await Promise.all(running.map(async (serving) => (await serving).stop('SIGKILL')))
    },
  }
}
