import { strictEqual as equal, match, ok } from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'
import { tlsCall } from '../requests/tls-request.ts'
import { engine, name, run, tryRun } from './engine.ts'

/** As docs/install.md shows. */
const hardened = [
  '--read-only',
  '--cap-drop',
  'ALL',
  '--security-opt',
  'no-new-privileges',
  '--shm-size',
  '256m',
]

export type Container = { id: string; url: string; ca: string; seconds: string }

/** Starts a service with a self-signed certificate on a free port, and waits until it is ready. */
export async function startContainer(
  image: string,
  options: string[],
  args: string[] = [],
): Promise<Container> {
  const started = Date.now()
  const settings = ['--env', 'CATALOG_TLS=self-signed', '--env', 'CATALOG_BASE_URL=https://localhost']
  const id = run(
    ...['run', '--detach', '--label', name, ...hardened, '--tmpfs', '/tmp', '--publish', '127.0.0.1::8080'],
    ...[...settings, ...options, image, ...args],
  )
  const url = `https://${run('port', id, '8080').split('\n')[0]}`
  const ca = await waitFor(id, async () => {
    const { code, output } = tryRun('exec', id, 'cat', '/data/tls/localhost.crt')
    return code === 0 ? output : undefined
  })
  await waitFor(id, async () => {
    const response = await tlsCall(`${url}/readyz`, { ca }).catch(() => undefined)
    return response?.status === 200 ? response : undefined
  })
  return { id, url, ca, seconds: `${((Date.now() - started) / 1000).toFixed(1)} s` }
}

/** Polls until there is a result. Fails with the logs if the container ends. */
async function waitFor<Result>(id: string, poll: () => Promise<Result | undefined>): Promise<Result> {
  for (const until = Date.now() + 120_000; Date.now() < until; await sleep(50)) {
    const found = await poll()
    if (found !== undefined) return found
    if (run('inspect', '--format', '{{.State.Status}}', id) !== 'running')
      throw new Error(`the container ended:\n${tryRun('logs', id).output}`)
  }
  throw new Error(`not ready within two minutes:\n${tryRun('logs', id).output}`)
}

/** Waits for the health check of the image. */
export async function untilHealthy(id: string): Promise<void> {
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(500)) {
    // podman uses systemd to schedule checks, which may be missing here.
    if (engine === 'podman' && tryRun('healthcheck', 'run', id).code === 0) return
    if (run('inspect', '--format', '{{.State.Health.Status}}', id) === 'healthy') return
  }
  throw new Error('the container does not become healthy within a minute')
}

/** Checks the user, the writable folders and the program. */
export function expectHardened(id: string): void {
  const inside = (...command: string[]) => tryRun('exec', id, ...command)
  equal(inside('id', '-u').output.trim(), '10001', 'the user of the container')
  for (const folder of ['/', '/app', '/app/build', '/etc'])
    ok(inside('touch', `${folder}/x`).code !== 0, `${folder} can be written to`)
  for (const folder of ['/data', '/tmp'])
    equal(inside('touch', `${folder}/x`).code, 0, `${folder} cannot be written to`)
  match(inside('cat', '/proc/1/cmdline').output, /main\.mjs/, 'the first process is not the program')
  match(inside('catalog', 'ready').output, /^ready: https:/)
}

/** Stops the container with SIGTERM, which must exit with 0. Returns the time. */
export async function stopContainer(id: string): Promise<string> {
  const started = Date.now()
  run('stop', '--time', '30', id)
  const seconds = (Date.now() - started) / 1000
  equal(
    run('inspect', '--format', '{{.State.ExitCode}}', id),
    '0',
    `exit code; ${tryRun('logs', '--tail', '5', id).output}`,
  )
  ok(seconds < 20, `SIGTERM took ${seconds} s`)
  return `${seconds.toFixed(1)} s`
}

/** Removes everything that this run created. */
export function removeAll(): void {
  const listed = (...args: string[]) =>
    tryRun(...args)
      .output.split('\n')
      .filter(Boolean)
  for (const filter of [`label=${name}`, `name=${name}`])
    for (const id of listed('ps', '--all', '--quiet', '--filter', filter))
      tryRun('rm', '--force', '--volumes', id)
  for (const kind of ['volume', 'network'])
    for (const one of listed(kind, 'ls', '--quiet', '--filter', `name=${name}`)) tryRun(kind, 'rm', one)
}
