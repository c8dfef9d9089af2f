import { createHash } from 'node:crypto'
import { accessSync, chmodSync, chownSync, constants, lstatSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canEnter, type ServerUser, serverUser } from './server-user.ts'

const checkout = resolve(fileURLToPath(new URL('../../../../', import.meta.url)))
// A socket's path has room for about a hundred bytes, and PostgreSQL adds its own file name.
const longestSocketFolder = 85

/** A server of your own, or else the data folder of the embedded one. */
export type DatabasePlace = { databaseUrl?: string; dataDirectory?: string }

/** The data folder of these settings; on a server of your own it holds the self-signed certificate alone. */
export function dataDirectoryOf({ databaseUrl, dataDirectory }: DatabasePlace): string {
  return chooseDataDirectory(dataDirectory, databaseUrl === undefined ? serverUser() : undefined)
}

/** The same choice for one who only looks: no folder is made. */
export function locateDataDirectory({ databaseUrl, dataDirectory }: DatabasePlace): string {
  const user = databaseUrl === undefined ? serverUser() : undefined
  const directory = dataDirectory === undefined ? join(checkout, 'data') : resolve(dataDirectory)
  const enterable = user === undefined || canEnter(user, nearestExisting(directory))
  return enterable || dataDirectory !== undefined ? directory : ownDirectory()
}

/** `--data` as given, or `./data` of the checkout, or, where the server's user cannot reach that, a folder of its own. */
export function chooseDataDirectory(given: string | undefined, user: ServerUser): string {
  const directory = given === undefined ? join(checkout, 'data') : resolve(given)
  // The path goes into PostgreSQL's settings, where these would end it.
  if (/["\n]/.test(directory))
    throw new Error(`the data folder's path must not have quotes or line breaks: ${directory}`)
  refuseFile(directory)
  if (makeEnterable(directory, user)) return directory
  if (given !== undefined) {
    throw new Error(
      `PostgreSQL runs as the user "nobody" here, who cannot enter ${directory}; open the folders above it (chmod o+x), choose another --data, or start as an ordinary user`,
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
      `the data folder ${directory} cannot be made (${reason}); choose another with --data, or set DATABASE_URL`,
    )
  }
  return canEnter(user, directory)
}

/** The folders that we make are open to the server's user, whatever root's umask is. */
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
      `${nearest} is not a folder, and the data folder would be ${directory}; choose another with --data`,
    )
}

/** Programs, locks and logs are written there at every start, also where the cluster exists already. */
export function refuseReadOnly(directory: string): void {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(
      `user id ${process.getuid?.()} cannot write to the data folder ${directory} (${(error as Error).message}); change its owner or its mode, or choose another with --data`,
    )
  }
}

/** The folder of the server's socket: only the server's user and we can enter it. The same for every process, whatever TMPDIR. */
export function socketFolder(dataDirectory: string, user: ServerUser): string {
  const inside = join(dataDirectory, 'socket')
  const folder =
    Buffer.byteLength(inside) <= longestSocketFolder
      ? inside
      : join('/tmp', `catalog-service-${shortHash(dataDirectory)}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = lstatSync(folder)
  // Made by us, or by one of us that was killed before it could hand the folder over.
  if (user !== undefined && uid === 0) chownSync(folder, user.uid, user.gid)
  const found = lstatSync(folder)
  const expected = user?.uid ?? process.getuid?.()
  if (found.uid !== expected || !found.isDirectory() || (found.mode & 0o777) !== 0o700) {
    throw new Error(
      `${folder} must be a folder that user id ${expected} owns and no other user can enter (mode 700); remove it and start again`,
    )
  }
  return folder
}

function shortHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16)
}
