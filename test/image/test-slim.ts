import { strictEqual as equal } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tlsCall } from '../requests/tls-request.ts'
import { expectHardened, startContainer, stopContainer, untilHealthy } from './container.ts'
import { name, run, tryRun } from './engine.ts'

const password = 'trial-of-the-slim-image'
export const postgresImage = process.env['POSTGRES_IMAGE'] ?? 'postgres:18-bookworm'

export const isPostgresAvailable = () =>
  tryRun('image', 'inspect', postgresImage).code === 0 || tryRun('pull', postgresImage).code === 0

/** The image for DATABASE_URL, with PostgreSQL in another container and the URL in a file. */
export async function testSlim(image: string, folder: string): Promise<string[]> {
  const secrets = { password, url: `postgres://catalog:${password}@${name}-database/catalog` }
  for (const [file, text] of Object.entries(secrets)) writeFileSync(join(folder, file), `${text}\n`)
  run('network', 'create', name)
  await startPostgres(folder)
  const mounted = ['--volume', `${join(folder, 'url')}:/run/secrets/url:ro`, '--network', name]
  const container = await startContainer(
    image,
    [...mounted, '--env', 'DATABASE_URL_FILE=/run/secrets/url'],
    ['serve', '--demo'],
  )
  await untilHealthy(container.id)
  expectHardened(container.id)
  const token = /cat_\w+/.exec(run('logs', container.id))?.[0] ?? ''
  const headers = { authorization: `Bearer ${token}` }
  const { status, body } = await tlsCall(`${container.url}/v2/products`, { ca: container.ca, headers })
  equal(`${status} ${body.count}`, '200 1000')
  const stop = await stopContainer(container.id)
  return [`first response after ${container.seconds} with demo data`, `SIGTERM: exit 0 after ${stop}`]
}

async function startPostgres(folder: string): Promise<void> {
  const settings = ['POSTGRES_USER=catalog', 'POSTGRES_DB=catalog', 'POSTGRES_PASSWORD_FILE=/run/password']
  run(
    ...['run', '--detach', '--label', name, '--name', `${name}-database`, '--network', name],
    ...settings.flatMap((setting) => ['--env', setting]),
    ...['--volume', `${join(folder, 'password')}:/run/password:ro`, postgresImage],
  )
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(250))
    if (tryRun('exec', `${name}-database`, 'pg_isready', '--host', '127.0.0.1').code === 0) return
  throw new Error(`PostgreSQL did not start:\n${tryRun('logs', `${name}-database`).output}`)
}
