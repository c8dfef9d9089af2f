import { execFile } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { environment } from './processes/catalog-process.ts'
import { temporaryFolder } from './setup/temporary-folder.ts'

const script = fileURLToPath(new URL('../scripts/audit.ts', import.meta.url))

/** Runs the script against a registry on loopback. */
async function audit(respond: RequestListener) {
  const registry = createServer(respond)
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void registry.close())
  const { port } = registry.address() as AddressInfo
  const settings = {
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(temporaryFolder(), 'npm'),
  }
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [script], { env: environment(settings) }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
}

/** Returns advisories for the requested packages. */
const advisories =
  (found: (names: string[]) => object): RequestListener =>
  async (request, reply) => {
    // npm also requests the packages that depend on a vulnerable one.
    if (request.method !== 'POST') return void reply.writeHead(404).end()
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const names = Object.keys(JSON.parse(gunzipSync(Buffer.concat(parts)).toString()))
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(found(names)))
  }

test('the audit lists vulnerable packages of the service and the console, or reports that there are none; it leaves out development tools', async () => {
  const none = await audit(advisories(() => ({})))
  expect(none).toMatchObject({ code: 0, stdout: 'no known vulnerabilities\n' })
  const advisory = {
    id: 1,
    title: 'Sends too much',
    severity: 'high',
    vulnerable_versions: '*',
    url: 'https://a.example',
  }
  const vulnerable = { pino: [advisory], 'react-dom': [advisory], knip: [advisory] }
  const some = await audit(
    advisories((names) =>
      Object.fromEntries(Object.entries(vulnerable).filter(([name]) => names.includes(name))),
    ),
  )
  expect(some).toMatchObject({ code: 1, stdout: expect.stringMatching(/^high +pino .*: Sends too much$/m) })
  expect(some.stdout).toMatch(/^high +react-dom .*: Sends too much$/m)
  expect(some.stdout).not.toContain('knip')
})

test('a registry without advisories fails the audit, and its address is not printed', async () => {
  const without = await audit((_request, reply) => void reply.writeHead(405).end())
  expect(without).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('it returned 405 for advisories; use a registry'),
  })
  const away = await audit((request) => void request.socket.destroy())
  expect(away).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('the registry is unreachable'),
  })
  for (const { stderr } of [without, away]) expect(stderr).not.toContain('127.0.0.1')
})
