import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version } from '../../version.ts'

export type Migration = {
  name: string
  text: string
  checksum: string
  /** Its statements run one by one, as `create index concurrently` requires. Each can run again. */
  outsideTransaction: boolean
  /** The oldest release that can run after it; null if only releases that include it can. */
  oldestRelease: string | null
}

/** A version of the service and its migrations. */
export type Release = { version: string; migrations: Migration[] }

const folder = fileURLToPath(new URL('../../../../migrations/', import.meta.url))

export function thisRelease(): Release {
  return { version, migrations: readMigrations(folder) }
}

export function readMigrations(from: string): Migration[] {
  const names = readdirSync(from)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  return names.map((name) => parseMigration(name, readFileSync(join(from, name), 'utf8')))
}

const known = /^-- (oldest release: .*|outside a transaction)\s*$/

/** The leading comments of a file contain the instructions for the migrator. */
function parseMigration(name: string, text: string): Migration {
  const header = /^(--.*\r?\n)*/.exec(text)?.[0] ?? ''
  const oldestRelease = /^-- oldest release: *(.*?)\s*$/m.exec(header)?.[1] ?? null
  const typo = header
    .split('\n')
    .find((line) => /^-- *(oldest release|outside)/i.test(line) && !known.test(line))
  if (typo !== undefined) throw new Error(`migration ${name}: "${typo.trim()}" is not a known instruction`)
  if (oldestRelease !== null && !/^\d+\.\d+\.\d+$/.test(oldestRelease))
    throw new Error(`migration ${name}: "${oldestRelease}" is not a release such as 1.2.0`)
  return {
    name,
    text,
    checksum: createHash('sha256').update(text).digest('hex'),
    outsideTransaction: /^-- outside a transaction\s*$/m.test(header),
    oldestRelease,
  }
}

/** Negative if the first release is older. Without a collator, which takes 15 ms to create and which few starts need. */
export function compareReleases(first: string, second: string): number {
  return first.localeCompare(second, 'en', { numeric: true })
}

/** Undefined if one of them is unknown. */
export function newestRelease(releases: (string | null)[]): string | undefined {
  return releases.includes(null) ? undefined : releases.map(String).toSorted(compareReleases).at(-1)
}
