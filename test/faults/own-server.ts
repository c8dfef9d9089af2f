import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { findInstallation } from '../../src/platform/database/embedded/installation.ts'
import { serverUser } from '../../src/platform/database/embedded/server-user.ts'
import { whenFileEnds } from '../setup/file-end.ts'

/** A PostgreSQL server that only the test starts and stops, in an unused data folder. */
export function ownServer(folder: string) {
  const user = serverUser()
  const socket = join(folder, 'socket')
  mkdirSync(socket, { recursive: true })
  const password = readFileSync(join(folder, 'postgres/catalog.secret'), 'utf8')
  const connection = { host: socket, user: 'catalog', password, database: 'postgres' }
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const settings = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${socket}`]
    const { postgres } = findInstallation(user, folder)
    server = spawn(postgres, ['-D', join(folder, 'postgres'), ...settings], {
      ...user,
      cwd: '/',
      env: {},
      stdio: 'ignore',
    })
    await expect.poll(isReady, { interval: 20 }).toBe(true)
  }

  async function isReady(): Promise<boolean> {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2_000 }).on('error', () => {})
    const isConnected = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    return isConnected
  }

  /** SIGINT aborts open transactions; SIGKILL ends the server immediately. */
  async function stop(signal: NodeJS.Signals): Promise<void> {
    const ending = server
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill(signal)
    await ended
  }

  whenFileEnds(() => stop('SIGINT'))
  const url = `postgres://catalog:${password}@localhost/postgres?host=${encodeURIComponent(socket)}`
  return { url, start, stop, pid: () => server?.pid as number }
}
