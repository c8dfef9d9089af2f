import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { recordFigures } from '../../../../test/faults/figures.ts'
import { rounds } from '../../../../test/faults/scale.ts'
import { preloading, program, type Serving, serve } from '../../../../test/processes/catalog-process.ts'
import { commandRunner } from '../../../../test/processes/command-runner.ts'
import { bearer, endTwice, newToken, postmaster } from '../../../../test/processes/served-shop.ts'
import { whenFileEnds } from '../../../../test/setup/file-end.ts'
import { dataFolderOfFile } from '../../../../test/setup/temporary-folder.ts'
import { isAlive } from '../../../platform/database/embedded/process.ts'

const folder = dataFolderOfFile()
const commands = commandRunner({ CATALOG_DATA: folder })
const metricsToken = 'metrics-token-of-the-operator'

// Two services on one data folder: one with three workers that logs everything, and one in a single process.
let workers: Serving
let second: Serving
async function start() {
  const args = ['--data', folder, '--workers', '3', '--log-level', 'trace']
  const extra = { ...preloading('console.error(process.argv[1])'), CATALOG_METRICS_TOKEN: metricsToken }
  workers = await serve(args, extra, whenFileEnds)
  second = await serve(['--data', folder], {}, whenFileEnds)
}
beforeAll(start)
// One of the tests stops both.
beforeEach(async () => {
  if (workers.process.exitCode !== null) await start()
})

test('the program and its workers run from the bundle', () => {
  const root = join(program, '../..')
  const bundle = join(root, 'build/program/')
  const started = workers
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith(root))
  expect(started.map((line) => line.startsWith(bundle) && /\w+\.mjs$/.exec(line)?.[0])).toEqual([
    'main.mjs',
    'worker.mjs',
    'worker.mjs',
  ])
})

test('fault 22: changes by commands apply immediately in four serving processes', async (context) => {
  let changes = 0
  for (const _ of rounds(1, 50, 40)) {
    const { project, id, token } = await newToken(commands, 'free')
    const ask = async ({ url }: Serving) =>
      (await fetch(`${url}/v2/project`, { headers: { ...bearer(token), connection: 'close' } })).status
    const statuses = async () =>
      new Set(await Promise.all([workers, second].flatMap((service) => [1, 2, 3, 4].map(() => ask(service)))))
    expect(await statuses()).toEqual(new Set([403]))
    await commands.catalogJson(['project', 'set', project, '--plan', 'enterprise'])
    expect(await statuses()).toEqual(new Set([200]))
    await commands.catalogJson(['project', 'set', project, '--plan', 'free'])
    expect(await statuses()).toEqual(new Set([403]))
    await commands.catalogJson(['project', 'set', project, '--api-access', 'on'])
    expect(await statuses()).toEqual(new Set([200]))
    const ending = changes % 2 === 0 ? ['revoke', id] : ['rotate', id, '--overlap', '0m']
    await commands.catalogJson(['token', ...ending])
    expect(await statuses()).toEqual(new Set([401]))
    changes += 5
  }
  recordFigures(context, { tried: changes, of: 'changes', survived: changes, lost: 0 })
})

test('the requests of all workers count against one limit', async () => {
  const { project, token } = await newToken(commands)
  await commands.catalogJson(['project', 'set', project, '--rate-limit', '10'])
  const began = performance.now()
  const responses = await Promise.all(
    Array.from({ length: 60 }, () =>
      fetch(`${workers.url}/v2/project`, { headers: { ...bearer(token), connection: 'close' } }),
    ),
  )
  const served = responses.filter(({ status }) => status === 200).length
  expect(served).toBeGreaterThanOrEqual(20)
  // The limit allows a burst of 20, and 10 per second after it.
  expect(served).toBeLessThanOrEqual(21 + (10 * (performance.now() - began)) / 1000)
})

test('one scrape covers all workers, whichever of them responds', async () => {
  const fresh = { connection: 'close' }
  for (let sent = 0; sent < 60; sent += 1) await fetch(`${workers.url}/healthz`, { headers: fresh })
  const scrapes = await Promise.all(
    Array.from({ length: 9 }, async () => {
      const headers = { ...fresh, ...bearer(metricsToken), 'x-forwarded-for': '203.0.113.7' }
      return (await fetch(`${workers.url}/metrics`, { headers })).text()
    }),
  )
  for (const text of scrapes) {
    expect(text).toContain('catalog_http_requests_total{method="GET",route="/healthz",status="200"} 60\n')
    expect(text).toContain('catalog_workers 3\n')
  }
  const starts = scrapes.map((text) => /^process_start_time_seconds (.+)$/m.exec(text)?.[1])
  expect(new Set(starts).size).toBe(1)
})

test('each request is one log line with its trace', async () => {
  const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const headers = { traceparent: `00-${trace}-${parent}-01` }
  const response = await fetch(`${workers.url}/readyz`, { headers })
  const [, , span] = (response.headers.get('traceparent') ?? '').split('-')
  const ids = { trace_id: trace, parent_id: parent, span_id: span }
  const lines = () =>
    workers
      .stderr()
      .split('\n')
      .filter((line) => line.includes(trace))
      .map((line) => JSON.parse(line))
  const req = { method: 'GET', url: '/readyz', ip: '127.0.0.1' }
  const line = {
    msg: 'request completed',
    ...ids,
    req,
    res: { statusCode: 200 },
    responseTime: expect.any(Number),
  }
  await expect.poll(lines).toMatchObject([line])
  await fetch(`${workers.url}/readyz`)
  expect(lines()).toHaveLength(1)
})

test('a request whose client disconnected is logged too', async () => {
  const { token } = await newToken(commands)
  const id = `hung-up-${randomUUID()}`
  const headers = { ...bearer(token), 'content-type': 'application/json', 'content-length': 100 }
  const sent = request(`${workers.url}/v2/products`, {
    method: 'POST',
    headers: { ...headers, expect: '100-continue', 'x-request-id': id },
  })
  sent.on('error', () => {}).once('continue', () => sent.destroy())
  const lines = () =>
    workers
      .stderr()
      .split('\n')
      .filter((line) => line.includes(id))
      .map((line) => JSON.parse(line))
  await expect
    .poll(lines)
    .toMatchObject([{ msg: 'request aborted', req: { method: 'POST', url: '/v2/products' } }])
})

test('fault 23: no token is in the log, whatever was sent; the last service stops the database, even if SIGINT comes twice', async () => {
  const { token } = await newToken(commands)
  const send = (path: string, headers: Record<string, string> = bearer(token)) =>
    fetch(workers.url + path, { headers })
  await send('/v2/project')
  await send(`/v2/products?token=${token}`, {
    ...bearer(token),
    'x-request-id': token,
    'user-agent': token,
  })
  await send(`/v2/products/${token.replace('_', '%5F')}?x=%63${token.slice(1)}`)
  await send('/v2/project', { ...bearer(token), 'x-request-id': token.slice(4) })
  await send(`/v2/${token}`, bearer(token.slice(0, -1)))
  await send('/metrics', bearer(metricsToken))
  const pid = postmaster(folder)
  expect((await workers.stop()).code).toBe(0)
  expect(workers.stderr()).toContain('/v2/project')
  expect(workers.stderr()).toContain('/metrics')
  expect(workers.stderr()).not.toContain(token.slice(4, 30))
  expect(workers.stderr()).not.toContain(metricsToken)
  expect(isAlive(pid)).toBe(true)
  await endTwice(second, 'SIGINT', folder)
})
