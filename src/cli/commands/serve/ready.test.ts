import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ownDatabase } from '../../../../test/database/test-database.ts'
import { sharedTestService, startTestService, type TestService } from '../../../../test/harness.ts'
import { commandRunner } from '../../../../test/processes/command-runner.ts'
import { loadConfig } from '../../../config.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { raw } from '../../../platform/database/sql.ts'
import { askReady } from '../../ask-ready.ts'

const { catalog } = commandRunner()
const portOf = ({ url }: TestService) => new URL(url).port

/** A port on which another program listens. */
async function strangerPort(answer?: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (answer !== undefined) socket.end(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** A service on a database that takes no writes. */
async function readOnlyService(): Promise<TestService> {
  const connection = await ownDatabase('ready')
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 5 })
  await database.query(
    raw(
      `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`,
    ),
  )
  await database.close()
  return startTestService({}, connection)
}

describe('catalog ready', () => {
  test('exits with 0 when the service accepts requests, also if it listens on all addresses', async () => {
    const port = portOf(await sharedTestService())
    const url = `http://127.0.0.1:${port}/readyz`
    expect(await catalog(['ready'], { PORT: port })).toEqual({
      code: 0,
      stdout: `ready: ${url}\n`,
      stderr: '',
    })
    // A secret that it cannot read does not matter: it uses none.
    const everywhere = {
      DATABASE_URL_FILE: '/nonexistent',
      PORT: port,
      CATALOG_HOST: '0.0.0.0',
      CATALOG_BEHIND_PROXY: 'true',
    }
    const { stdout } = await catalog(['ready', '--json'], everywhere)
    expect(JSON.parse(stdout)).toEqual({ ready: true, url, detail: 'accepts requests' })
  })

  test('exits with 1 and the reason when it does not', async () => {
    const { code, stderr } = await catalog(['ready', '--port', portOf(await readOnlyService())])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^catalog: not ready: .*read_only is on\.\n$/)])
  })

  test('exits with 1 if nothing listens, at once or after the time to wait', async () => {
    const port = String(await closedPort())
    const { code, stderr } = await catalog(['ready', '--port', port, '--wait', '0'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('ECONNREFUSED')])
    expect((await catalog(['ready', '--port', '0'])).stderr).toContain('use --port')
    expect((await catalog(['ready', '--wait', '1e3'])).code).toBe(1)
  })

  test('stops waiting when the given process exits', async () => {
    const port = String(await closedPort())
    const service = spawn('sleep', ['60'])
    const waiting = catalog(['ready', '--port', port, '--wait', '60', '--process', String(service.pid)])
    expect(await Promise.race([waiting, sleep(600, 'waiting')])).toBe('waiting')
    service.kill()
    const { code, stderr } = await waiting
    expect([code, stderr]).toEqual([1, expect.stringContaining(`process ${service.pid} has exited`)])
    expect((await catalog(['ready', '--process', ''])).code).toBe(1)
  })

  test('treats another program and a missing response as not ready', async () => {
    const ask = (port: number) => askReady(loadConfig({ port }, {}), 200)
    const refused = await strangerPort('HTTP/1.1 404 Not Found\r\ncontent-type: text/html\r\n\r\n<p>no</p>')
    expect(await ask(refused)).toMatchObject({ ready: false, detail: expect.stringContaining('status 404') })
    const babble = await strangerPort('220 mail.example ESMTP\r\n')
    expect(await ask(babble)).toMatchObject({ ready: false, detail: expect.stringContaining('Parse Error') })
    expect(await ask(await strangerPort())).toMatchObject({
      ready: false,
      detail: 'no response within 0.2 seconds',
    })
  })
})
