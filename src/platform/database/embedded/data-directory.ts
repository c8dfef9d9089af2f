import { createHash } from 'node:crypto'
import { accessSync, chmodSync, chownSync, constants, lstatSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { embeddedLimits } from '../../limits/database.ts'
import { canEnter, type ServerUser, serverUser } from './server-user.ts'

const checkout = resolve(fileURLToPath(new URL('../../../../', import.meta.url)))

/** An external server, or the data folder of the embedded one. */
export type DatabasePlace = { databaseUrl?: string; dataDirectory?: string }

/** The data folder of these settings. With an external server, it contains only the self-signed certificate. */
export function dataDirectoryOf({ databaseUrl, dataDirectory }: DatabasePlace): string {
  return chooseDataDirectory(dataDirectory, databaseUrl === undefined ? serverUser() : undefined)
}

/** Makes the same choice without creating a folder. */
export function locateDataDirectory({ databaseUrl, dataDirectory }: DatabasePlace): string {
  const user = databaseUrl === undefined ? serverUser() : undefined
  const directory = dataDirectory === undefined ? join(checkout, 'data') : resolve(dataDirectory)
  const enterable = user === undefined || canEnter(user, nearestExisting(directory))
  return enterable || dataDirectory !== undefined ? directory : ownDirectory()
}

/** The folder from `--data`, or `./data` in the checkout, or a separate folder if the server's user cannot access that. */
export function chooseDataDirectory(given: string | undefined, user: ServerUser): string {
  const directory = given === undefined ? join(checkout, 'data') : resolve(given)
  // The path is part of PostgreSQL's settings, where these characters would end it.
  if (/["\n]/.test(directory))
    throw new Error(`the path of the data folder must not contain quotes or line breaks: ${directory}`)
  refuseFile(directory)
  if (makeEnterable(directory, user)) return directory
  if (given !== undefined) {
    throw new Error(
      `PostgreSQL runs as the user "nobody", which cannot enter ${directory}; open its parent folders (chmod o+x), choose another --data, or start as a regular user`,
    )
  }
  const own = ownDirectory()
  makeFolder(own, user)
  if (!canEnter(user, own))
    throw new Error(`the user "nobody" cannot enter ${own}; open it (chmod o+x), or use --data`)
  return own
}

function ownDirectory(): string {
  return join('/var/lib/catalog-service', shortHash(checkout))
}

function makeEnterable(directory: string, user: ServerUser): boolean {
  if (user !== undefined && !canEnter(user, nearestExisting(directory))) return false
  try {
    makeFolder(directory, user)
  } catch (error) {
    const reason = (error as Error).message
    throw new Error(
      `the data folder ${directory} cannot be created (${reason}); choose another one with --data, or set DATABASE_URL`,
    )
  }
  return canEnter(user, directory)
}

/** New folders are open to the server's user, regardless of root's umask. */
function makeFolder(directory: string, user: ServerUser): void {
  const first = mkdirSync(directory, { recursive: true })
  if (first === undefined || user === undefined) return
  for (let path = directory; path.startsWith(first); path = dirname(path)) chmodSync(path, 0o755)
}

function nearestExisting(directory: string): string {
  try {
    lstatSync(directory)
    return directory
  } catch {
    return nearestExisting(resolve(directory, '..'))
  }
}

function refuseFile(directory: string): void {
  const nearest = nearestExisting(directory)
  if (statSync(nearest, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new Error(
      `${nearest} is not a folder, so ${directory} cannot be the data folder; choose another one with --data`,
    )
}

/** Every start writes programs, locks and logs there, even if the cluster already exists. */
export function refuseReadOnly(directory: string): void {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(
      `user ID ${process.getuid?.()} cannot write to the data folder ${directory} (${(error as Error).message}); change its owner or mode, or choose another one with --data`,
    )
  }
}

/** The folder of the server's socket, which no other user can enter. It does not depend on TMPDIR, so all processes use the same. */
export function socketFolder(dataDirectory: string, user: ServerUser): string {
  const inside = join(dataDirectory, 'socket')
  const folder =
    Buffer.byteLength(inside) <= embeddedLimits.socketFolderBytes
      ? inside
      : join('/tmp', `catalog-service-${shortHash(dataDirectory)}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = lstatSync(folder)
  // Created by this process, or by a process that was killed before it could change the owner.
  if (user !== undefined && uid === 0) chownSync(folder, user.uid, user.gid)
  const found = lstatSync(folder)
  const expected = user?.uid ?? process.getuid?.()
  if (found.uid !== expected || !found.isDirectory() || (found.mode & 0o777) !== 0o700) {
    throw new Error(
      `${folder} must be a folder that user ID ${expected} owns and no other user can enter (mode 700); remove it and start again`,
    )
  }
  return folder
}

function shortHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16)
}
