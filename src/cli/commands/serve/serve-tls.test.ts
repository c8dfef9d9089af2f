import { readFileSync, statSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectionUrl, ownDatabase } from '../../../../test/database/test-database.ts'
import { type Serving, serve } from '../../../../test/processes/catalog-process.ts'
import { commandRunner } from '../../../../test/processes/command-runner.ts'
import { bearer, endTwice } from '../../../../test/processes/served-shop.ts'
import { tlsCall } from '../../../../test/requests/tls-request.ts'
import { whenFileEnds } from '../../../../test/setup/file-end.ts'
import { dataFolderOfFile } from '../../../../test/setup/temporary-folder.ts'
import { createProject } from '../../../access/projects/manage-project.ts'
import { createDemo } from '../../../operations/demo/create-demo.ts'
import { openDatabase } from '../../../platform/database/database.ts'

const selfSigned = ['--tls', 'self-signed']

describe('catalog serve --tls self-signed', () => {
  const folder = dataFolderOfFile()
  const certificate = join(folder, 'tls/localhost.crt')
  let workers: Serving
  let ca: string
  let second: Serving
  let extra: Record<string, string>
  let oldToken: string
  beforeAll(async () => {
    workers = await serve(['--data', folder, '--workers', '2', ...selfSigned], {}, whenFileEnds)
    ca = readFileSync(certificate, 'utf8')
    const connection = await ownDatabase('demo')
    const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
    // A demo without products; to make one takes long.
    await createProject(database, { name: 'demo' }, { name: 'Demo shop', plan: 'pro', isDemo: true })
    oldToken = (await createDemo(database))?.token ?? ''
    await database.close()
    const ownPostgres = { DATABASE_URL: connectionUrl(connection) }
    extra = { ...ownPostgres, CATALOG_DATA: folder, CATALOG_TLS: 'self-signed' }
    second = await serve(['--demo'], extra, whenFileEnds)
  })
  // One of the tests stops it.
  beforeEach(async () => {
    if (second.process.exitCode !== null) second = await serve(['--demo'], extra, whenFileEnds)
  })

  test('serves HTTPS on all its workers, with a certificate in the data folder, until SIGHUP, which may come twice', async () => {
    expect(workers.banner.at(-1)).toMatch(/^listening on https:\/\/127\.0\.0\.1:\d+$/)
    expect(workers.banner).toContain(`certificate: ${certificate}`)
    expect(statSync(join(folder, 'tls/localhost.key')).mode & 0o777).toBe(0o600)
    for (let connection = 0; connection < 10; connection += 1)
      expect((await tlsCall(`${workers.url}/readyz`, { ca })).status).toBe(200)
    await endTwice(workers, 'SIGHUP', folder)
  })

  test('has the same certificate at every start, also with an external PostgreSQL', async () => {
    expect(readFileSync(certificate, 'utf8')).toBe(ca)
    expect((await tlsCall(`${second.url}/readyz`, { ca })).status).toBe(200)
  })

  test('is checked by `catalog ready` without certificate options', async () => {
    const { port } = new URL(second.url)
    const { code, stdout } = await commandRunner().catalog(['ready', '--port', port, ...selfSigned], {})
    expect([code, stdout]).toEqual([0, `ready: ${second.url}/readyz\n`])
  })

  test('prints a curl command for the demo with the certificate; the new token replaces the last', async () => {
    const banner = second.banner.join('\n')
    expect(banner).toContain(`curl --cacert '${certificate}' -H`)
    const status = async (token: string) =>
      (await tlsCall(`${second.url}/v2/prompts`, { ca, headers: bearer(token) })).status
    expect(await status(/cat_\w+/.exec(banner)?.[0] ?? '')).toBe(200)
    expect([oldToken.startsWith('cat_'), await status(oldToken)]).toEqual([true, 401])
  })

  test('SIGTERM: requests in progress finish, idle connections do not delay the exit, and plain HTTP on the port is not logged', async () => {
    const plain = openConnection(second)
    plain.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await plain.toArray().catch(() => [])
    const agent = new Agent({ ca, keepAlive: true })
    const failures: string[] = []
    let answered = 0
    const clients = Array.from({ length: 4 }, async () => {
      for (;;) {
        const outcome = await ask(`${second.url}/readyz`, agent)
        if (outcome === 'ECONNREFUSED') return
        if (outcome !== '200' && outcome !== '503') failures.push(outcome)
        answered += 1
        // Without a pause, the clients would take the processors from the service until it ends.
        await sleep(5)
      }
    })
    const silent = openConnection(second)
    await expect.poll(() => answered).toBeGreaterThan(50)
    const begun = Date.now()
    expect((await second.stop()).code).toBe(0)
    expect(Date.now() - begun).toBeLessThan(10_000)
    await Promise.all(clients)
    silent.destroy()
    agent.destroy()
    expect(failures).toEqual([])
    const expected =
      /^(connecting to PostgreSQL|stopping: .*|.*"msg":"(listening|request completed|not_ready)".*|)$/
    const surprises = second
      .stderr()
      .split('\n')
      .filter((line) => !expected.test(line) || line.includes('/healthz'))
    expect(surprises).toEqual([])
  })
})

function openConnection({ url }: Serving) {
  return connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
}

/** The status of the response, or the code of the error. */
function ask(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    request(url, { agent }, (response) => {
      response.resume().on('end', () => resolve(String(response.statusCode)))
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .end()
  })
}
