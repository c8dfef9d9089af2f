import { strictEqual as equal, ok } from 'node:assert'
import { tlsCall } from '../requests/tls-request.ts'
import { type Container, expectHardened, startContainer, stopContainer, untilHealthy } from './container.ts'
import { name, run, tryRun } from './engine.ts'

/** The image with PostgreSQL: a first start with demo data, an orderly stop, and a start after a kill. */
export async function testEmbedded(image: string): Promise<string[]> {
  const volume = ['--volume', `${name}:/data`]
  const first = await startContainer(image, volume, ['serve', '--demo'])
  await untilHealthy(first.id)
  expectHardened(first.id)
  const token = /cat_\w+/.exec(run('logs', first.id))?.[0] ?? ''
  await expectProducts(first, token)
  const page = await tlsCall(`${first.url}/`, { ca: first.ca })
  equal(page.status, 200, `the console: ${page.text}`)
  const stop = await stopContainer(first.id)

  const second = await startContainer(image, volume)
  const { token: own } = JSON.parse(
    run('exec', second.id, 'catalog', 'token', 'create', '--project', '1', '--json'),
  )
  run('kill', second.id)
  const third = await startContainer(image, volume)
  await expectProducts(third, own)
  await stopContainer(third.id)
  return [
    `first response after ${first.seconds} with a new database and demo data, ${second.seconds} with the same data, ${third.seconds} after a kill`,
    `SIGTERM: exit 0 after ${stop}`,
  ]
}

/** The API returns the demo products. */
async function expectProducts({ url, ca }: Container, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const { status, body } = await tlsCall(`${url}/v2/products`, { ca, headers })
  equal(status, 200, JSON.stringify(body))
  equal(body.count, 1000)
}

/** The image without PostgreSQL prints what it needs. */
export function expectNoServer(image: string): void {
  const settings = ['--env', 'CATALOG_TLS=self-signed', '--env', 'CATALOG_BASE_URL=https://localhost']
  const { code, output } = tryRun('run', '--rm', '--read-only', '--tmpfs', '/tmp', ...settings, image)
  equal(code, 1, output)
  ok(output.includes('set DATABASE_URL instead'), output)
}
