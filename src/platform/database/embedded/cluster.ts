import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Installation } from './installation.ts'
import { moveIntoPlace, partialFolder } from './partial-folder.ts'
import type { ServerUser } from './server-user.ts'
import { finishSwap, refuseLostCluster } from './swap-clusters.ts'
import { syncToDisk } from './write-to-disk.ts'

/** PostgreSQL's data folder and the password to connect. They are created atomically. */
export type Cluster = { folder: string; password: string }

/** The major version of the included PostgreSQL. */
export const major = '18'
const secretFile = 'catalog.secret'
export const superuser = 'catalog'

export function ensureCluster(
  dataDirectory: string,
  installation: Installation,
  user: ServerUser,
  isTemporary: boolean,
): Cluster {
  const folder = join(dataDirectory, 'postgres')
  finishSwap(dataDirectory)
  if (!existsSync(folder)) {
    refuseLostCluster(dataDirectory)
    createCluster(dataDirectory, folder, installation, user, isTemporary)
  }
  refuseForeignOwner(folder, user)
  refuseOpen(folder)
  const found = majorOf(folder)
  if (found !== major) refuseOther(folder, found)
  return { folder, password: readSecret(folder) }
}

/** An existing cluster of any PostgreSQL version. */
export function openCluster(folder: string, user: ServerUser): Cluster {
  refuseForeignOwner(folder, user)
  refuseOpen(folder)
  return { folder, password: readSecret(folder) }
}

export function majorOf(folder: string): string {
  return readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
}

function refuseOther(folder: string, found: string): never {
  const advice =
    Number(found) < Number(major)
      ? 'stop all services and run "catalog upgrade-postgres"'
      : 'run the version that created it, or use --data for a new folder'
  throw new Error(
    `${folder} was created by PostgreSQL ${found}, but this version includes PostgreSQL ${major}, which cannot read it; ${advice}`,
  )
}

export function secretPath(clusterFolder: string): string {
  return join(clusterFolder, secretFile)
}

function readSecret(folder: string): string {
  const path = secretPath(folder)
  const secret = existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
  if (secret !== '') return secret
  throw new Error(
    `the secret of the embedded PostgreSQL, ${path}, is empty or missing; restore it from a copy of the data folder, or see "Replace a lost secret" in docs/troubleshoot.md`,
  )
}

function createCluster(
  dataDirectory: string,
  folder: string,
  { initdb }: Installation,
  user: ServerUser,
  isTemporary: boolean,
): void {
  const partial = partialFolder(dataDirectory)
  const cluster = join(partial, 'cluster')
  const secret = join(partial, 'secret')
  mkdirSync(cluster)
  writeFileSync(secret, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (user !== undefined) for (const path of [partial, cluster, secret]) chownSync(path, user.uid, user.gid)
  chmodSync(cluster, 0o700)
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const access = ['--auth=scram-sha-256', `--username=${superuser}`, `--pwfile=${secret}`]
  const durability = isTemporary ? ['--no-sync'] : []
  execFileSync(initdb, ['-D', cluster, ...locale, ...access, ...durability], {
    ...user,
    cwd: '/',
    stdio: 'pipe',
  })
  renameSync(secret, join(cluster, secretFile))
  syncToDisk(join(cluster, secretFile))
  syncToDisk(cluster)
  moveIntoPlace(cluster, folder)
  syncToDisk(dataDirectory)
  rmSync(partial, { recursive: true, force: true })
}

/** PostgreSQL allows at most its group to read the folder, and its error does not name the required mode. */
function refuseOpen(folder: string): void {
  const mode = lstatSync(folder).mode & 0o777
  if ((mode & 0o027) === 0) return
  throw new Error(
    `other users can access the files of the embedded PostgreSQL (${folder} has mode ${mode.toString(8)}), so it would not start; run "chmod 700 ${folder}"`,
  )
}

function refuseForeignOwner(folder: string, user: ServerUser): void {
  const owner = lstatSync(folder).uid
  const expected = user?.uid ?? process.getuid?.()
  if (owner !== expected) {
    throw new Error(
      `${folder} belongs to user ID ${owner}, but the server would run as user ID ${expected}; start as the same user as before, or use --data`,
    )
  }
}
