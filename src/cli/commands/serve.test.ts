import { createServer } from 'node:net'
import { describe, expect, inject, test } from 'vitest'
import { serve } from '../../../test/catalog-process.ts'
import { commandRunner } from '../../../test/command-runner.ts'
import { bearer, newToken, postmaster } from '../../../test/served-shop.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { connectionUrl, ownDatabase } from '../../../test/test-database.ts'
import { isAlive } from '../../database/embedded/process.ts'

const url = { DATABASE_URL: connectionUrl(inject('connection')) }
const commands = commandRunner(url)

describe('catalog serve --demo', () => {
  test('prints a curl line that works, and each start ends the token of the last', async () => {
    const environment = { DATABASE_URL: connectionUrl(await ownDatabase('demo')) }
    const first = await serve(['--demo'], environment)
    const line = first.banner.find((text) => text.includes('curl -H')) ?? ''
    const [, header = '', address = ''] = /curl -H '([^']+)' '([^']+)'/.exec(line) ?? []
    const [name = '', value = ''] = header.split(': ')
    const response = await fetch(address, { headers: { [name]: value } })
    expect(response.status).toBe(200)
    expect(((await response.json()) as { results: object[] }).results).toHaveLength(3)
    expect(first.banner.at(-1)).toBe(`listening on ${first.url}`)
    expect((await first.stop()).code).toBe(0)

    const second = await serve(['--demo'], environment)
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
    const beside = { catalogJson: (args: string[]) => commands.catalogJson(args, { CATALOG_DATA: folder }) }
    const { project, id, token } = await newToken(beside, 'free')
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
    await beside.catalogJson(['project', 'set', project, '--api-access', 'on'])
    expect(await statuses()).toEqual(new Set([200]))
    await beside.catalogJson(['token', 'revoke', id])
    expect(await statuses()).toEqual(new Set([401]))
    for (const { stop } of services) {
      expect(isAlive(pid)).toBe(true)
      expect((await stop()).code).toBe(0)
    }
    expect(isAlive(pid)).toBe(false)
  })

  test('counts the requests of all its workers against one limit', async () => {
    const { url: address, stop } = await serve(['--workers', '3'], url)
    const { project, token } = await newToken(commands)
    await commands.catalogJson(['project', 'set', project, '--rate-limit', '10'])
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        fetch(`${address}/v2/project`, { headers: { ...bearer(token), connection: 'close' } }),
      ),
    )
    const served = answers.filter(({ status }) => status === 200).length
    expect(served).toBeGreaterThanOrEqual(20)
    expect(served).toBeLessThan(30)
    expect((await stop()).code).toBe(0)
  })

  test('writes no token to its log, whatever is sent', async () => {
    const { url: address, stderr, stop } = await serve(['--log-level', 'trace'], url)
    const { token } = await newToken(commands)
    await fetch(`${address}/v2/project`, { headers: bearer(token) })
    await fetch(`${address}/v2/products?token=${token}`, {
      headers: { ...bearer(token), 'x-request-id': token, 'user-agent': token },
    })
    await fetch(`${address}/v2/products/${token.replace('_', '%5F')}?x=%63${token.slice(1)}`, {
      headers: bearer(token),
    })
    await fetch(`${address}/v2/project`, { headers: { ...bearer(token), 'x-request-id': token.slice(4) } })
    await fetch(`${address}/v2/${token}`, { headers: bearer(token.slice(0, -1)) })
    await stop()
    expect(stderr()).toContain('/v2/project')
    expect(stderr()).not.toContain(token.slice(4, 30))
  })

  test('refuses a taken port and says what to do', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => holder.once('listening', resolve))
    const { port } = holder.address() as { port: number }
    for (const workers of ['1', '2']) {
      const { code, stderr } = await commands.catalog(['serve', '--port', String(port), '--workers', workers])
      expect(code).toBe(1)
      expect(stderr).toContain(
        `port ${port} on 127.0.0.1 is taken; stop what listens there, or choose another with --port`,
      )
    }
    holder.close()
  })
})
