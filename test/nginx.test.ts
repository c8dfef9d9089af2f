import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ensureSelfSigned } from '../src/platform/http/tls/self-signed.ts'
import { startTestService, type Tenant, type TestService } from './harness.ts'
import { freePort } from './processes/free-port.ts'
import { temporaryFolder } from './setup/temporary-folder.ts'

const program = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx'].find(existsSync)
if (program === undefined)
  console.warn('the nginx block of docs/configure.md is not tested: nginx is not installed')

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await startTestService({ behindProxy: true })
  shop = await service.tenant()
})

function documentedBlock(): string {
  const text = readFileSync(new URL('../docs/configure.md', import.meta.url), 'utf8')
  return /```nginx\n(.*?)```/s.exec(text)?.[1] ?? ''
}

/** Replaces only addresses and paths in the documented block. */
async function startNginx(): Promise<{ port: number; ca: string }> {
  const folder = temporaryFolder()
  const { cert, key } = await ensureSelfSigned(folder)
  const port = await freePort()
  const block = documentedBlock()
    .replace('127.0.0.1:8080', new URL(service.url).host)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('/etc/ssl/catalog.example.pem', cert)
    .replace('/etc/ssl/catalog.example.key', key)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr; events {}
     http { access_log off; ${temporary.join(' ')}\n${block} }`,
  )
  const child = spawn(program as string, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (data) => {
    output += data
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const ca = readFileSync(cert, 'utf8')
  while ((await send({ port, ca }, '/healthz').catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error(`nginx did not start: ${output}`)
    await sleep(50)
  }
  return { port, ca }
}

type Sent = { token?: string; body?: Buffer[] }

async function send(proxy: { port: number; ca: string }, path: string, sent: Sent = {}) {
  const headers = {
    ...(sent.token !== undefined && { authorization: `Bearer ${sent.token}` }),
    ...(sent.body !== undefined && { 'content-type': 'application/x-ndjson' }),
  }
  const outgoing = request({
    host: 'localhost',
    ...proxy,
    path,
    method: sent.body === undefined ? 'GET' : 'POST',
    headers,
    agent: false,
  })
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('error', reject).once('response', resolve)
  })
  for (const part of sent.body ?? []) outgoing.write(part)
  outgoing.end()
  const response = await responded
  const text = Buffer.concat(await response.toArray()).toString()
  const isJson = /[/+]json\b/.test(response.headers['content-type'] ?? '')
  return { status: response.statusCode, text, body: isJson ? JSON.parse(text) : undefined }
}

const line = (sku: string, bytes: number) =>
  Buffer.from(`${JSON.stringify({ sku, name: sku, description: 'x'.repeat(bytes) })}\n`)

describe.skipIf(program === undefined)('through the nginx block of docs/configure.md', () => {
  test('pushes over 1 MiB work, links point to the proxy, and rejections come from the service', async () => {
    const nginx = await startNginx()
    const lines = Array.from({ length: 40 }, (_, index) => line(`N-${index}`, 90_000))
    const pushed = await send(nginx, '/v2/products/bulk', { token: shop.token, body: lines })
    expect([pushed.status, pushed.body?.summary ?? pushed.text]).toMatchObject([200, { created: 40 }])
    const listed = await send(nginx, '/v2/products?page_size=1', { token: shop.token })
    expect(new URL(listed.body.next).origin).toBe('https://localhost')
    const exported = await send(nginx, '/v2/products/export', { token: shop.token })
    expect(exported.text.trim().split('\n')).toHaveLength(40)
    const rejected = await send(nginx, '/v2/products/bulk', { token: 'cat_wrong', body: lines })
    expect([rejected.status, rejected.body?.code]).toEqual([401, 'invalid_token'])
    const long = await send(nginx, `/v2/products?search=${'x'.repeat(12_000)}`, { token: shop.token })
    expect([long.status, long.body?.count]).toEqual([200, 0])
  })
})
