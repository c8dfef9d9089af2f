import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fastify from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { clientRoutes } from '../../src/delivery/client/client.routes.ts'
import { version } from '../../src/platform/version.ts'
import { sharedTestService, startTestService, type TestService } from '../harness.ts'
import { temporaryFolder } from '../setup/temporary-folder.ts'
import { builtTarball, earlierTarball, packageFiles, tarballName } from './built-package.ts'

const run = promisify(execFile)
let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

const read = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { headers, redirect: 'manual' })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe('without a token, the service', () => {
  test('sends the package, whose bytes are those of the build', async () => {
    const response = await read(`/client/${tarballName}`)
    expect(await bytesOf(response)).toEqual(builtTarball())
    const names = ['content-type', 'x-content-type-options', 'content-encoding', 'catalog-version']
    expect(names.map((name) => response.headers.get(name))).toEqual([
      'application/gzip',
      'nosniff',
      null,
      null,
    ])
    const again = await read(`/client/${tarballName}`, {
      'if-none-match': String(response.headers.get('etag')),
    })
    expect(again.status).toBe(304)
  })

  test('redirects the address without a version to this release', async () => {
    const { status, headers } = await read('/client/catalog-client.tgz')
    expect([status, headers.get('location')]).toEqual([302, `${service.url}/client/${tarballName}`])
  })

  test('sends the module, with types that Deno finds', async () => {
    const response = await read(`/client/${version}/index.js`)
    expect(await response.text()).toBe(String(packageFiles().get('index.js')))
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const types = new URL(String(response.headers.get('x-typescript-types')), response.url)
    expect(await (await fetch(types)).text()).toBe(String(packageFiles().get('index.d.ts')))
  })

  test('explains the installation, with addresses below --base-url', async () => {
    const { url } = await startTestService({ baseUrl: 'https://catalog.example.com' })
    const text = await (await fetch(`${url}/client/`, { headers: { host: 'catalog.example.com' } })).text()
    const { headers } = await fetch(`${url}/client/catalog-client.tgz`, { redirect: 'manual' })
    expect(headers.get('location')).toBe(`https://catalog.example.com/client/${tarballName}`)
    expect(text).toContain(`npm install https://catalog.example.com/client/${tarballName}`)
    expect(text).toContain(`'https://catalog.example.com/client/${version}/index.js'`)
    expect((await read('/client/')).headers.get('etag')).toMatch(/^".+"$/)
  })

  test.each([
    '/client/none.tgz',
    '/client/0.0.1/index.js',
    '/client/package.json',
    '/client/..%2fpackage.json',
  ])('returns 404 as a problem for %s, also to browsers', async (path) => {
    const response = await read(path, { accept: 'text/html' })
    expect([response.status, await response.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'unknown_route' }),
    ])
  })
})

/** The programs named `node` of a major version on this machine. */
async function nodeOf(major: number): Promise<string | undefined> {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/bin', '/usr/local/bin']
  for (const program of [process.execPath, ...folders.map((folder) => join(folder, 'node'))].filter(
    existsSync,
  )) {
    const { stdout } = await run(program, ['--version']).catch(() => ({ stdout: '' }))
    if (stdout.startsWith(`v${major}.`)) return program
  }
  return undefined
}

/** npm without a registry, and with a new cache. */
function npm(folder: string, ...args: string[]) {
  const cache = temporaryFolder()
  const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9/', npm_config_cache: cache }
  return run('npm', [...args, '--no-audit', '--no-fund'], { cwd: folder, env })
}

/** An empty project of an integrator. */
function project(): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{"name": "shop", "type": "module"}')
  return folder
}

const program = `
import { Catalog } from 'catalog-client'
const catalog = new Catalog({ url: process.env.CATALOG_URL, token: process.env.CATALOG_TOKEN })
await catalog.products.push((async function* () { yield { sku: 'N', name: process.version } })())
const names = []
for await (const { name } of catalog.products.all()) names.push(name)
console.log(names.join())
`

test('npm installs the package from the service, it runs on Node 20 and 26, and the lock file has no token', async ({
  annotate,
}) => {
  const folder = project()
  await npm(folder, 'install', `${service.url}/client/${tarballName}`)
  const { token } = await service.tenant()
  writeFileSync(join(folder, 'program.js'), program)
  const env = { CATALOG_URL: service.url, CATALOG_TOKEN: token }
  for (const major of [20, 26]) {
    const node = await nodeOf(major)
    if (node === undefined) await annotate(`Node ${major} is not installed`)
    else
      expect((await run(node, ['program.js'], { cwd: folder, env })).stdout).toMatch(
        new RegExp(`^v${major}\\.`),
      )
  }
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  const integrity = `sha512-${createHash('sha512').update(builtTarball()).digest('base64')}`
  expect(JSON.parse(lock).packages['node_modules/catalog-client']).toMatchObject({
    ...{ version, integrity, resolved: `${service.url}/client/${tarballName}` },
  })
  expect(lock).not.toContain(token)
})

test('npm ci works with the lock file of an earlier release, also after an upgrade of the service', async () => {
  const releases = temporaryFolder()
  writeFileSync(join(releases, 'catalog-client-0.3.9.tgz'), earlierTarball('0.3.9'))
  let port = 0
  const serve = async () => {
    const app = fastify()
    await app.register(clientRoutes(releases))
    await app.listen({ host: '127.0.0.1', port })
    port = (app.server.address() as AddressInfo).port
    return app
  }
  const before = await serve()
  const folder = project()
  const address = `http://127.0.0.1:${port}/client/catalog-client-0.3.9.tgz`
  await npm(folder, 'install', address)
  await before.close()

  const after = await serve()
  const { headers } = await fetch(address)
  expect(headers.get('cache-control')).toContain('immutable')
  expect((await fetch(`http://127.0.0.1:${port}/client/${tarballName}`)).status).toBe(200)
  rmSync(join(folder, 'node_modules'), { recursive: true })
  await npm(folder, 'ci')
  await after.close()
  const installed = readFileSync(join(folder, 'node_modules/catalog-client/package.json'), 'utf8')
  expect(JSON.parse(installed).version).toBe('0.3.9')
})
