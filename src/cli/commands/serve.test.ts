import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { serve } from '../../../test/catalog-process.ts'
import { commandRunner } from '../../../test/command-runner.ts'
import { bearer } from '../../../test/served-shop.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { connectionUrl, ownDatabase } from '../../../test/test-database.ts'
import { tlsCall } from '../../../test/tls-request.ts'

test('catalog serve --demo prints a curl line that works, under TLS with the certificate to trust, and each start ends the token of the last', async () => {
  const folder = temporaryFolder()
  const environment = { DATABASE_URL: connectionUrl(await ownDatabase('demo')), CATALOG_DATA: folder }
  const first = await serve(['--demo'], environment)
  const line = first.banner.find((text) => text.includes('curl -H')) ?? ''
  const [, header = '', address = ''] = /curl -H '([^']+)' '([^']+)'/.exec(line) ?? []
  const [name = '', value = ''] = header.split(': ')
  const response = await fetch(address, { headers: { [name]: value } })
  expect(response.status).toBe(200)
  expect(((await response.json()) as { results: object[] }).results).toHaveLength(3)
  expect(first.banner.at(-1)).toBe(`listening on ${first.url}`)
  expect((await first.stop()).code).toBe(0)

  const { url, banner, stop } = await serve(['--demo', '--tls', 'self-signed'], environment)
  const file = join(folder, 'tls/localhost.crt')
  expect(banner.join('\n')).toContain(`curl --cacert '${file}' -H`)
  const ca = readFileSync(file, 'utf8')
  expect((await tlsCall(`${url}/v2/project`, { ca, headers: { [name]: value } })).status).toBe(401)
  const headers = bearer(/cat_\w+/.exec(banner.join())?.[0] ?? '')
  expect((await tlsCall(`${url}/v2/prompts`, { ca, headers })).status).toBe(200)
  await stop()
})

test('catalog serve refuses a taken port and says what to do', async () => {
  const { catalog } = commandRunner({ DATABASE_URL: connectionUrl(inject('connection')) })
  const holder = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => holder.once('listening', resolve))
  const { port } = holder.address() as { port: number }
  for (const workers of ['1', '2']) {
    const { code, stderr } = await catalog(['serve', '--port', String(port), '--workers', workers])
    expect(code).toBe(1)
    expect(stderr).toContain(
      `port ${port} on 127.0.0.1 is taken; stop what listens there, or choose another with --port`,
    )
  }
  holder.close()
})
