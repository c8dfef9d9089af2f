import { strictEqual as equal, match, ok } from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'
import { tlsCall } from '../requests/tls-request.ts'
import { engine, name, run, tryRun } from './engine.ts'

/** As docs/install.md shows. */
const closed = [
  '--read-only',
  '--cap-drop',
  'ALL',
  '--security-opt',
  'no-new-privileges',
  '--shm-size',
  '256m',
]

export type Container = { id: string; url: string; ca: string; seconds: string }

/** Starts a service that speaks TLS by a certificate of its own, on a free port of this machine, and waits for its first answer. */
export async function startContainer(
  image: string,
  options: string[],
  args: string[] = [],
): Promise<Container> {
  const started = Date.now()
  const settings = ['--env', 'CATALOG_TLS=self-signed', '--env', 'CATALOG_BASE_URL=https://localhost']
  const id = run(
    ...['run', '--detach', '--label', name, ...closed, '--tmpfs', '/tmp', '--publish', '127.0.0.1::8080'],
    ...[...settings, ...options, image, ...args],
  )
  const url = `https://${run('port', id, '8080').split('\n')[0]}`
  const ca = await untilSome(id, async () => {
    const { code, output } = tryRun('exec', id, 'cat', '/data/tls/localhost.crt')
    return code === 0 ? output : undefined
  })
  await untilSome(id, async () => {
    const answer = await tlsCall(`${url}/readyz`, { ca }).catch(() => undefined)
    return answer?.status === 200 ? answer : undefined
  })
  return { id, url, ca, seconds: `${((Date.now() - started) / 1000).toFixed(1)} s` }
}

/** A container that ends meanwhile says why. */
async function untilSome<Result>(id: string, look: () => Promise<Result | undefined>): Promise<Result> {
  for (const until = Date.now() + 120_000; Date.now() < until; await sleep(50)) {
    const found = await look()
    if (found !== undefined) return found
    if (run('inspect', '--format', '{{.State.Status}}', id) !== 'running')
      throw new Error(`the container ended:\n${tryRun('logs', id).output}`)
  }
  throw new Error(`no answer within two minutes:\n${tryRun('logs', id).output}`)
}

/** What the health check of the image says, asked for as docker does by itself. */
export async function untilHealthy(id: string): Promise<void> {
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(500)) {
    // podman leaves the times of a check to systemd, which a container of this test may lack.
    if (engine === 'podman' && tryRun('healthcheck', 'run', id).code === 0) return
    if (run('inspect', '--format', '{{.State.Health.Status}}', id) === 'healthy') return
  }
  throw new Error('the container does not become healthy within a minute')
}

/** The user, what it may write to, and where its programs come from. */
export function expectClosed(id: string): void {
  const inside = (...command: string[]) => tryRun('exec', id, ...command)
  equal(inside('id', '-u').output.trim(), '10001', 'the user of the container')
  for (const folder of ['/', '/app', '/app/build', '/etc'])
    ok(inside('touch', `${folder}/x`).code !== 0, `${folder} can be written to`)
  for (const folder of ['/data', '/tmp'])
    equal(inside('touch', `${folder}/x`).code, 0, `${folder} cannot be written to`)
  match(inside('cat', '/proc/1/cmdline').output, /main\.mjs/, 'the first process is not the program')
  match(inside('catalog', 'ready').output, /^ready: https:/)
}

/** Seconds that SIGTERM takes, which must end the service well. */
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

/** Removes whatever this run has made. */
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
