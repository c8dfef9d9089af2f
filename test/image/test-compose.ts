import { strictEqual as equal, ok } from 'node:assert'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../processes/free-port.ts'
import { engine, isInstalled, name, root } from './engine.ts'
import { postgresImage } from './test-slim.ts'

/** The compose command of the engine. */
export const compose =
  engine === 'docker' && isInstalled('docker', 'compose', 'version')
    ? ['docker', 'compose']
    : engine === 'podman' && isInstalled('podman-compose', '--version')
      ? ['podman-compose']
      : undefined

/** Runs compose.yaml unchanged, with the image and secrets of this run. */
export async function testCompose(image: string, folder: string): Promise<string[]> {
  const started = Date.now()
  const port = await freePort()
  const env = {
    ...process.env,
    ...{ CATALOG_IMAGE: image, POSTGRES_IMAGE: postgresImage, CATALOG_PORT: String(port) },
    CATALOG_BASE_URL: 'https://catalog.example',
  }
  prepareFolder(folder)
  const [program = '', ...first] = compose ?? []
  const call = (...args: string[]) =>
    execFileSync(program, [...first, '--project-name', name, ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 2, 2],
    })
  try {
    call('up', '--detach')
    const url = `http://127.0.0.1:${port}`
    await untilReady(`${url}/readyz`)
    const seconds = ((Date.now() - started) / 1000).toFixed(1)
    const headers = { authorization: `Bearer ${'metrics'.repeat(4)}`, 'x-forwarded-for': '203.0.113.7' }
    equal(
      (await fetch(`${url}/metrics`, { headers })).status,
      200,
      'the metrics with the token from the file',
    )
    const otherToken = { authorization: 'Bearer another', 'x-forwarded-for': '203.0.113.7' }
    equal((await fetch(`${url}/metrics`, { headers: otherToken })).status, 403)
    return [`first response after ${seconds} s, PostgreSQL's first start included`]
  } finally {
    call('down', '--volumes')
  }
}

function prepareFolder(folder: string): void {
  cpSync(join(root, 'compose.yaml'), join(folder, 'compose.yaml'))
  mkdirSync(join(folder, 'secrets'), { mode: 0o700 })
  const secrets = {
    postgres_password: 'trial',
    database_url: 'postgres://catalog:trial@database/catalog',
    auth_secret: 'secret'.repeat(6),
    metrics_token: 'metrics'.repeat(4),
  }
  for (const [file, text] of Object.entries(secrets))
    writeFileSync(join(folder, 'secrets', file), `${text}\n`)
}

async function untilReady(url: string): Promise<void> {
  for (const until = Date.now() + 120_000; Date.now() < until; await sleep(250)) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.status === 200) return
  }
  ok(false, `${url} is not ready within two minutes`)
}
