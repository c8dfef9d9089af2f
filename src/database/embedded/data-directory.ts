import { createHash } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canEnter, type ServerUser } from './server-user.ts'

const checkout = resolve(fileURLToPath(new URL('../../../', import.meta.url)))
// A socket's path has room for about a hundred bytes, and PostgreSQL adds its own file name.
const longestSocketFolder = 85

/** `--data` as given, or `./data` of the checkout, or, where the server's user cannot reach that, a folder of its own. */
export function chooseDataDirectory(given: string | undefined, user: ServerUser): string {
  const directory = given === undefined ? join(checkout, 'data') : resolve(given)
  if (makeEnterable(directory, user)) return directory
  if (given !== undefined) {
    throw new Error(
      `PostgreSQL runs as the user "nobody" here, who cannot enter ${directory}; open the folders above it (chmod o+x), choose another --data, or start as an ordinary user`,
    )
  }
  const own = join('/var/lib/catalog-service', shortHash(checkout))
  mkdirSync(own, { recursive: true })
  return own
}

function makeEnterable(directory: string, user: ServerUser): boolean {
  if (user !== undefined && !canEnter(user, nearestExisting(directory))) return false
  try {
    mkdirSync(directory, { recursive: true })
  } catch (error) {
    throw new Error(
      `the data folder ${directory} cannot be made (${(error as Error).message}); choose another with --data, or set DATABASE_URL`,
    )
  }
  return canEnter(user, directory)
}

function nearestExisting(directory: string): string {
  const found = lstatSync(directory, { throwIfNoEntry: false })
  return found === undefined ? nearestExisting(resolve(directory, '..')) : directory
}

/** The folder of the server's socket: only the server's user and we can enter it. */
export function socketFolder(dataDirectory: string, user: ServerUser): string {
  const inside = join(dataDirectory, 'socket')
  const folder =
    Buffer.byteLength(inside) <= longestSocketFolder
      ? inside
      : join(tmpdir(), `catalog-service-${shortHash(dataDirectory)}`)
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined && user !== undefined) chownSync(folder, user.uid, user.gid)
  const { uid, mode } = lstatSync(folder)
  const expected = user?.uid ?? process.getuid?.()
  if (uid !== expected || (mode & 0o777) !== 0o700) {
    throw new Error(
      `${folder} must belong to user id ${expected} alone (mode 700); remove it and start again`,
    )
  }
  return folder
}

function shortHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16)
}
