import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncToDisk } from './write-to-disk.ts'

function pathsIn(dataDirectory: string) {
  return {
    folder: join(dataDirectory, 'postgres'),
    /** A complete cluster that replaces the one of an older PostgreSQL. */
    next: join(dataDirectory, 'postgres-next'),
    forgotten: join(dataDirectory, 'postgres-forgotten'),
  }
}

/** Also true while the cluster temporarily has another name. */
export function hasCluster(dataDirectory: string): boolean {
  const { folder, next } = pathsIn(dataDirectory)
  return existsSync(folder) || existsSync(next)
}

/** Marks the cluster as complete and ready for the swap. */
export function offerNext(dataDirectory: string, made: string): void {
  rename(made, pathsIn(dataDirectory).next, dataDirectory)
}

/** Both servers must have stopped. After the older cluster is renamed, any start finishes the swap. */
export function swapClusters(dataDirectory: string, older: string, onApart: () => void): void {
  const { folder } = pathsIn(dataDirectory)
  const control = controlOf(folder)
  rename(folder, older, dataDirectory)
  if (existsSync(join(older, 'postmaster.pid')) || controlOf(older) !== control) {
    rename(older, folder, dataDirectory)
    throw new Error(
      `the older PostgreSQL was started in ${folder} in the meantime; stop it, then run the command again`,
    )
  }
  onApart()
  finishSwap(dataDirectory)
}

/** Finishes a swap that was killed. Every start calls this first, so that it does not create another cluster. */
export function finishSwap(dataDirectory: string): void {
  const { folder, next } = pathsIn(dataDirectory)
  if (existsSync(folder) || !existsSync(next)) return
  try {
    rename(next, folder, dataDirectory)
  } catch (error) {
    // Another process may be faster.
    if (!existsSync(folder)) throw error
  }
}

/** Discards the new cluster, because the older one may have changed since. */
export function forgetNext(dataDirectory: string): void {
  const { next, forgotten } = pathsIn(dataDirectory)
  // Renamed first, because a start must never use a partly removed cluster.
  rmSync(forgotten, { recursive: true, force: true })
  if (!existsSync(next)) return
  rename(next, forgotten, dataDirectory)
  rmSync(forgotten, { recursive: true, force: true })
}

/** Refuses to create an empty cluster where an upgrade renamed an older one. */
export function refuseLostCluster(dataDirectory: string): void {
  const older = readdirSync(dataDirectory).find(
    (name) => /^postgres-\d+$/.test(name) && existsSync(join(dataDirectory, name, 'PG_VERSION')),
  )
  if (older !== undefined && !existsSync(pathsIn(dataDirectory).folder))
    throw new Error(
      `${dataDirectory} contains ${older} from an upgrade but no postgres folder; rename ${older} to postgres to continue with it, or move it elsewhere to start with an empty database`,
    )
}

function rename(from: string, to: string, dataDirectory: string): void {
  renameSync(from, to)
  syncToDisk(dataDirectory)
}

/** SHA-256 of `pg_control`, which changes whenever a server runs on the cluster. */
function controlOf(folder: string): string {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'global/pg_control')))
    .digest('hex')
}
