import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncToDisk } from './on-disk.ts'

function pathsIn(dataDirectory: string) {
  return {
    folder: join(dataDirectory, 'postgres'),
    /** A whole cluster that is to take the place of the one that was made by an older PostgreSQL. */
    next: join(dataDirectory, 'postgres-next'),
  }
}

/** Also while it is under another name for a moment. */
export function hasCluster(dataDirectory: string): boolean {
  const { folder, next } = pathsIn(dataDirectory)
  return existsSync(folder) || existsSync(next)
}

/** From now on the cluster is whole, and only waits for its place. */
export function offerNext(dataDirectory: string, made: string): void {
  rename(made, pathsIn(dataDirectory).next, dataDirectory)
}

/** Both servers have ended. Once the older cluster is put aside the swap is finished by any start. */
export function swapClusters(dataDirectory: string, older: string, onApart: () => void): void {
  const { folder } = pathsIn(dataDirectory)
  const control = controlOf(folder)
  rename(folder, older, dataDirectory)
  if (existsSync(join(older, 'postmaster.pid')) || controlOf(older) !== control) {
    rename(older, folder, dataDirectory)
    throw new Error(`the older PostgreSQL was started in ${folder} meanwhile; stop it, and run this again`)
  }
  onApart()
  finishSwap(dataDirectory)
}

/** Every start does this first: a swap that was killed in the middle is finished, and nothing else is made in its place. */
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

/** The older cluster may have been used since, so that the next one is made of it again. */
export function forgetNext(dataDirectory: string): void {
  rmSync(pathsIn(dataDirectory).next, { recursive: true, force: true })
}

/** A missing cluster is no reason to make an empty one where an older one was put aside. */
export function refuseLostCluster(dataDirectory: string): void {
  const older = readdirSync(dataDirectory).find(
    (name) => /^postgres-\d+$/.test(name) && existsSync(join(dataDirectory, name, 'PG_VERSION')),
  )
  if (older !== undefined && !existsSync(pathsIn(dataDirectory).folder))
    throw new Error(
      `${dataDirectory} has ${older}, which an upgrade put aside, and no postgres; rename ${older} to postgres to go on with it, or move it elsewhere to begin anew`,
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
