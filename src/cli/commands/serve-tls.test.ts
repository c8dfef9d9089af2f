import { readFileSync, statSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type Serving, serve } from '../../../test/catalog-process.ts'
import { commandRunner } from '../../../test/command-runner.ts'
import { whenFileEnds } from '../../../test/file-end.ts'
import { dataFolderOfFile } from '../../../test/temporary-folder.ts'
import { connectionUrl } from '../../../test/test-database.ts'
import { tlsCall } from '../../../test/tls-request.ts'

const selfSigned = ['--tls', 'self-signed']

describe('catalog serve --tls self-signed', () => {
  const folder = dataFolderOfFile()
  const certificate = join(folder, 'tls/localhost.crt')
  let workers: Serving
  let ca: string
  let beside: Serving
  beforeAll(async () => {
    workers = await serve(['--data', folder, '--workers', '2', ...selfSigned], {}, whenFileEnds)
    ca = readFileSync(certificate, 'utf8')
    const ownPostgres = { DATABASE_URL: connectionUrl(inject('connection')), CATALOG_DATA: folder }
    beside = await serve([], { ...ownPostgres, CATALOG_TLS: 'self-signed' }, whenFileEnds)
  })

  test('serves HTTPS on all its workers, with a certificate in the data folder', async () => {
    expect(workers.banner.at(-1)).toMatch(/^listening on https:\/\/127\.0\.0\.1:\d+$/)
    expect(workers.banner).toContain(`certificate: ${certificate}`)
    expect(statSync(join(folder, 'tls/localhost.key')).mode & 0o777).toBe(0o600)
    for (let connection = 0; connection < 10; connection += 1)
      expect((await tlsCall(`${workers.url}/readyz`, { ca })).status).toBe(200)
    expect((await workers.stop()).code).toBe(0)
  })

  test('has the same certificate at every start, also beside a PostgreSQL of your own', async () => {
    expect(readFileSync(certificate, 'utf8')).toBe(ca)
    expect((await tlsCall(`${beside.url}/readyz`, { ca })).status).toBe(200)
  })

  test('SIGTERM: what is under way is answered, an idle connection does not hold it up, exit 0; it logs no word of plain HTTP on its port', async () => {
    const plain = openConnection(beside)
    plain.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await plain.toArray().catch(() => [])
    const agent = new Agent({ ca, keepAlive: true })
    const failures: string[] = []
    let answered = 0
    const clients = Array.from({ length: 4 }, async () => {
      for (;;) {
        const outcome = await ask(`${beside.url}/readyz`, agent)
        if (outcome === 'ECONNREFUSED') return
        if (outcome !== '200' && outcome !== '503') failures.push(outcome)
        answered += 1
      }
    })
    const silent = openConnection(beside)
    await expect.poll(() => answered).toBeGreaterThan(50)
    const begun = Date.now()
    expect((await beside.stop()).code).toBe(0)
    expect(Date.now() - begun).toBeLessThan(10_000)
    await Promise.all(clients)
    silent.destroy()
    agent.destroy()
    expect(failures).toEqual([])
    const expected =
      /^(connecting to PostgreSQL|stopping: .*|.*"msg":"(listening|incoming request|request completed|not_ready)".*|)$/
    const surprises = beside
      .stderr()
      .split('\n')
      .filter((line) => !expected.test(line) || line.includes('/healthz'))
    expect(surprises).toEqual([])
  })
})

function openConnection({ url }: Serving) {
  return connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
}

/** The status of the answer, or the code of what went wrong. */
function ask(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    request(url, { agent }, (response) => {
      response.resume().on('end', () => resolve(String(response.statusCode)))
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .end()
  })
}

describe('catalog serve ends with a clear line', () => {
  const { catalog } = commandRunner()

  test.each([
    [['--host', '0.0.0.0', ...selfSigned], 'needs --base-url'],
    [['--host', '0.0.0.0'], 'loopback only'],
    [['--tls-cert', '/nowhere.pem', '--tls-key', '/nowhere.key'], '/nowhere.pem cannot be read'],
    [['--tls-cert', '/nowhere.pem'], '--tls-cert and --tls-key both'],
    [['--cors-origin', 'https://a.example', '--cors-origin', 'b'], '"b" is no origin'],
  ])('%j', async (args, message) => {
    const { code, stderr } = await catalog(['serve', ...args])
    expect(code).toBe(1)
    expect(stderr).toContain(message)
  })
})
