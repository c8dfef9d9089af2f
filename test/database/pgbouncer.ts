import { spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { onTestFinished } from 'vitest'
import { serverUser } from '../../src/platform/database/embedded/server-user.ts'
import { temporaryFolder } from '../setup/temporary-folder.ts'

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(existsSync)

/** Why the pooler cannot be tested. Undefined if it can. */
export function whyNoPooler({ host }: pg.ClientConfig): string | undefined {
  if (program === undefined) return 'pgbouncer is not installed'
  return host?.startsWith('/') ? undefined : 'the pooler is tested only on the embedded server'
}

/** Starts pgbouncer in front of the server, on its own socket. Returns the value for DATABASE_URL. */
export async function startPooler(
  { host, port, user, password, database }: pg.ClientConfig,
  settings: string[],
): Promise<string> {
  const folder = temporaryFolder()
  const socket = join(folder, 'pooler')
  const configuration = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  mkdirSync(socket)
  writeFileSync(users, `"${user}" "${password}"\n`)
  writeFileSync(
    configuration,
    [
      '[databases]',
      `* = host=${host} port=${port}`,
      '[pgbouncer]',
      'listen_port = 6432',
      `unix_socket_dir = ${socket}`,
      'auth_type = trust',
      `auth_file = ${users}`,
      ...settings,
    ].join('\n'),
  )
  const owner = serverUser()
  if (owner !== undefined) for (const path of [socket, users]) chownSync(path, owner.uid, owner.gid)
  chmodSync(configuration, 0o644)
  const child = spawn(program as string, [configuration], { ...owner, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  await untilUp(child.stderr)
  return `postgres://${user}:x@localhost:6432/${database}?host=${encodeURIComponent(socket)}`
}

async function untilUp(stream: NodeJS.ReadableStream): Promise<void> {
  let output = ''
  for await (const chunk of stream) {
    output += chunk
    // Drains later output; a full pipe would stop the process.
    if (output.includes('process up')) return void stream.resume()
  }
  throw new Error(`pgbouncer did not start: ${output}`)
}
