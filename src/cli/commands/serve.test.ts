import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { catalog, catalogJson, serve } from '../../../test/catalog-process.ts'
import { bearer, newToken, postmaster } from '../../../test/served-shop.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { isAlive } from '../../database/embedded/process.ts'

describe('catalog serve --demo', () => {
  test('prints a curl line that works, and each start ends the token of the last', async () => {
    const folder = temporaryFolder()
    const first = await serve(['--demo', '--data', folder])
    const line = first.banner.find((text) => text.includes('curl -H')) ?? ''
    const [, header = '', address = ''] = /curl -H '([^']+)' '([^']+)'/.exec(line) ?? []
    const [name = '', value = ''] = header.split(': ')
    const response = await fetch(address, { headers: { [name]: value } })
    expect(response.status).toBe(200)
    expect(((await response.json()) as { results: object[] }).results).toHaveLength(3)
    expect(first.banner.at(-1)).toBe(`listening on ${first.url}`)
    expect((await first.stop()).code).toBe(0)

    const second = await serve(['--demo', '--data', folder])
    expect((await fetch(`${second.url}/v2/project`, { headers: { [name]: value } })).status).toBe(401)
    const prompts = await fetch(`${second.url}/v2/prompts`, {
      headers: bearer(/cat_\w+/.exec(second.banner.join())?.[0] ?? ''),
    })
    expect(prompts.status).toBe(200)
    await second.stop()
  })
})

describe('a running service', () => {
  test('is shared with commands beside it; what they change holds at once; the last one stops the server', async () => {
    const folder = temporaryFolder()
    const services = [await serve(['--data', folder]), await serve(['--data', folder, '--workers', '2'])]
    const pid = postmaster(folder)
    const { project, id, token } = await newToken(folder, 'free')
    const statuses = async () =>
      new Set(
        await Promise.all(
          services.flatMap(({ url }) =>
            [1, 2, 3, 4].map(
              async () => (await fetch(`${url}/v2/project`, { headers: bearer(token) })).status,
            ),
          ),
        ),
      )
    expect(await statuses()).toEqual(new Set([403]))
    await catalogJson(['project', 'set', project, '--api-access', 'on', '--data', folder])
    expect(await statuses()).toEqual(new Set([200]))
    await catalogJson(['token', 'revoke', id, '--data', folder])
    expect(await statuses()).toEqual(new Set([401]))
    for (const { stop } of services) {
      expect(isAlive(pid)).toBe(true)
      expect((await stop()).code).toBe(0)
    }
    expect(isAlive(pid)).toBe(false)
  })

  test('counts the requests of all its workers against one limit', async () => {
    const folder = temporaryFolder()
    const { url, stop } = await serve(['--data', folder, '--workers', '3'])
    const { project, token } = await newToken(folder)
    await catalogJson(['project', 'set', project, '--rate-limit', '10', '--data', folder])
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        fetch(`${url}/v2/project`, { headers: { ...bearer(token), connection: 'close' } }),
      ),
    )
    const served = answers.filter(({ status }) => status === 200).length
    expect(served).toBeGreaterThanOrEqual(20)
    expect(served).toBeLessThan(30)
    expect((await stop()).code).toBe(0)
  })

  test('writes no token to its log, whatever is sent', async () => {
    const folder = temporaryFolder()
    const { url, stderr, stop } = await serve(['--data', folder, '--log-level', 'trace'])
    const { token } = await newToken(folder)
    await fetch(`${url}/v2/project`, { headers: bearer(token) })
    await fetch(`${url}/v2/products?token=${token}`, {
      headers: { ...bearer(token), 'x-request-id': token, 'user-agent': token },
    })
    await fetch(`${url}/v2/products/${token.replace('_', '%5F')}?x=%63${token.slice(1)}`, {
      headers: bearer(token),
    })
    await fetch(`${url}/v2/project`, { headers: { ...bearer(token), 'x-request-id': token.slice(4) } })
    await fetch(`${url}/v2/${token}`, { headers: bearer(token.slice(0, -1)) })
    await stop()
    expect(stderr()).toContain('/v2/project')
    expect(stderr()).not.toContain(token.slice(4, 30))
  })

  test('refuses a taken port and says what to do', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => holder.once('listening', resolve))
    const { port } = holder.address() as { port: number }
    for (const workers of ['1', '2']) {
      const { code, stderr } = await catalog([
        'serve',
        '--port',
        String(port),
        '--workers',
        workers,
        '--data',
        temporaryFolder(),
      ])
      expect(code).toBe(1)
      expect(stderr).toContain(
        `port ${port} on 127.0.0.1 is taken; stop what listens there, or choose another with --port`,
      )
    }
    holder.close()
  })
})
