import { readFileSync, statSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { serve } from '../../../test/catalog-process.ts'
import { commandRunner } from '../../../test/command-runner.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { connectionUrl, ownDatabase } from '../../../test/test-database.ts'
import { tlsCall } from '../../../test/tls-request.ts'

const selfSigned = ['--tls', 'self-signed']
const url = { DATABASE_URL: connectionUrl(inject('connection')) }
const certificateIn = (folder: string) => readFileSync(join(folder, 'tls/localhost.crt'), 'utf8')

describe('catalog serve --tls self-signed', () => {
  test('serves HTTPS on all its workers, and every start with the same certificate', async () => {
    const folder = temporaryFolder()
    const first = await serve(['--data', folder, '--workers', '2', ...selfSigned])
    const ca = certificateIn(folder)
    expect(first.banner.at(-1)).toMatch(/^listening on https:\/\/127\.0\.0\.1:\d+$/)
    expect(first.banner).toContain(`certificate: ${join(folder, 'tls/localhost.crt')}`)
    expect(statSync(join(folder, 'tls/localhost.key')).mode & 0o777).toBe(0o600)
    for (let connection = 0; connection < 10; connection += 1)
      expect((await tlsCall(`${first.url}/readyz`, { ca })).status).toBe(200)
    expect((await first.stop()).code).toBe(0)

    const second = await serve(['--data', folder, ...selfSigned])
    expect(certificateIn(folder)).toBe(ca)
    expect((await tlsCall(`${second.url}/readyz`, { ca })).status).toBe(200)
    expect((await second.stop()).code).toBe(0)
  })

  test('keeps the certificate in the data folder also beside a PostgreSQL of your own', async () => {
    const folder = temporaryFolder()
    const extra = { ...url, CATALOG_DATA: folder, CATALOG_TLS: 'self-signed' }
    const { url: address, stop } = await serve([], extra)
    expect((await tlsCall(`${address}/readyz`, { ca: certificateIn(folder) })).status).toBe(200)
    await stop()
  })

  test('prints a curl line for the demo that names the certificate to trust', async () => {
    const folder = temporaryFolder()
    const connection = await ownDatabase('demo_tls')
    const extra = { DATABASE_URL: connectionUrl(connection), CATALOG_DATA: folder }
    const { banner, stop } = await serve(['--demo', ...selfSigned], extra)
    expect(banner.join('\n')).toContain(`curl --cacert '${join(folder, 'tls/localhost.crt')}' -H`)
    await stop()
  })

  test('closes plain HTTP on its port without a word in the log', async () => {
    const folder = temporaryFolder()
    const { url: address, stderr, stop } = await serve(selfSigned, { ...url, CATALOG_DATA: folder })
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await socket.toArray().catch(() => [])
    await stop()
    const ofStartAndStop = /^(connecting to PostgreSQL|.*"msg":"listening".*|stopping: .*|)$/
    expect(
      stderr()
        .split('\n')
        .filter((line) => !ofStartAndStop.test(line)),
    ).toEqual([])
  })
})

test('SIGTERM under TLS: what is under way is answered, an idle connection does not hold it up, exit 0', async () => {
  const folder = temporaryFolder()
  const { url: address, stop } = await serve(selfSigned, { ...url, CATALOG_DATA: folder })
  const agent = new Agent({ ca: certificateIn(folder), keepAlive: true })
  const failures: string[] = []
  let answered = 0
  const ask = () =>
    new Promise<string>((resolve) => {
      request(`${address}/readyz`, { agent }, (response) => {
        response.resume().on('end', () => resolve(String(response.statusCode)))
      })
        .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
        .end()
    })
  const clients = Array.from({ length: 4 }, async () => {
    for (;;) {
      const outcome = await ask()
      if (outcome === 'ECONNREFUSED') return
      if (outcome !== '200' && outcome !== '503') failures.push(outcome)
      answered += 1
    }
  })
  const silent = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {})
  await expect.poll(() => answered).toBeGreaterThan(50)
  const begun = Date.now()
  expect((await stop()).code).toBe(0)
  expect(Date.now() - begun).toBeLessThan(10_000)
  await Promise.all(clients)
  silent.destroy()
  agent.destroy()
  expect(failures).toEqual([])
})

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
