import { createServer } from 'node:net'
import { describe, expect, inject, test } from 'vitest'
import { connectionUrl } from '../../../../test/database/test-database.ts'
import { commandRunner } from '../../../../test/processes/command-runner.ts'

describe('catalog serve exits with a clear error', () => {
  const { catalog } = commandRunner({ DATABASE_URL: connectionUrl(inject('connection')) })

  test.each([
    [['--host', '0.0.0.0', '--tls', 'self-signed'], 'needs --base-url'],
    [['--host', '0.0.0.0'], 'loopback only'],
    [['--tls-cert', '/nowhere.pem', '--tls-key', '/nowhere.key'], '/nowhere.pem cannot be read'],
    [['--tls-cert', '/nowhere.pem'], 'set both --tls-cert and --tls-key'],
    [['--cors-origin', 'https://a.example', '--cors-origin', 'b'], '"b" is not an origin'],
  ])('%j', async (args, message) => {
    const { code, stderr } = await catalog(['serve', ...args])
    expect(code).toBe(1)
    expect(stderr).toContain(message)
  })

  test('if its port is in use', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => holder.once('listening', resolve))
    const { port } = holder.address() as { port: number }
    for (const workers of ['1', '2']) {
      const { code, stderr } = await catalog(['serve', '--port', String(port), '--workers', workers])
      expect(code).toBe(1)
      expect(stderr).toContain(
        `port ${port} on 127.0.0.1 is already in use; stop the process that uses it, or choose another port with --port`,
      )
    }
    holder.close()
  })
})
