import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncToDisk, writeToDisk } from './on-disk.ts'

/** `upgrade/ready.json`: the cluster beside it is whole, and is to take the place of the one that was made by an older PostgreSQL. */
type Ready = {
  from: string
  /** SHA-256 of the older cluster's `pg_control`, which changes whenever a server runs on it. */
  control: string
}

/** Where the next cluster is made: a data folder of its own inside the other. */
export function upgradeFolder(dataDirectory: string): string {
  return join(dataDirectory, 'upgrade')
}

function pathsIn(dataDirectory: string) {
  const work = upgradeFolder(dataDirectory)
  return {
    work,
    folder: join(dataDirectory, 'postgres'),
    made: join(work, 'postgres'),
    ready: join(work, 'ready.json'),
  }
}

/** Also while it is under another name for a moment. */
export function hasCluster(dataDirectory: string): boolean {
  const { folder, ready } = pathsIn(dataDirectory)
  return existsSync(folder) || existsSync(ready)
}

/** Both servers have ended. From here on the swap can be finished by anybody. */
export function announceSwap(dataDirectory: string, from: string): void {
  const { folder, ready } = pathsIn(dataDirectory)
  writeToDisk(ready, `${JSON.stringify({ from, control: controlOf(folder) } satisfies Ready)}\n`)
}

/** Whether a swap was announced, and the older cluster is still what the next one was made of. */
export function canSwap(dataDirectory: string): boolean {
  const { folder, ready } = pathsIn(dataDirectory)
  return existsSync(ready) && isUnused(folder, readReady(ready))
}

/** Returns where the older cluster is kept. */
export function swapClusters(dataDirectory: string, onApart: () => void): string {
  const { folder, ready } = pathsIn(dataDirectory)
  const found = readReady(ready)
  const older = olderFolder(dataDirectory, found.from)
  renameSync(folder, older)
  syncToDisk(dataDirectory)
  if (!isUnused(older, found)) {
    renameSync(older, folder)
    syncToDisk(dataDirectory)
    throw new Error(
      `PostgreSQL ${found.from} was started in ${folder} meanwhile; stop it, and run this again`,
    )
  }
  onApart()
  finishSwap(dataDirectory)
  return older
}

export function olderFolder(dataDirectory: string, major: string): string {
  return join(dataDirectory, `postgres-${major}`)
}

/** Every start does this first: one that was killed in the middle of a swap is finished, and nothing else is made in its place. */
export function finishSwap(dataDirectory: string): void {
  const { work, folder, made, ready } = pathsIn(dataDirectory)
  if (!existsSync(ready)) return
  if (!existsSync(folder)) moveInto(made, folder, dataDirectory)
  if (!existsSync(made)) rmSync(work, { recursive: true, force: true })
}

/** Another process may be faster. */
function moveInto(made: string, folder: string, dataDirectory: string): void {
  try {
    renameSync(made, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
  syncToDisk(dataDirectory)
}

/** What is not announced any more is never taken for whole, however little of it is removed. */
export function forgetSwap(dataDirectory: string): void {
  const { work, ready } = pathsIn(dataDirectory)
  if (!existsSync(ready)) return
  rmSync(ready)
  syncToDisk(work)
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

function isUnused(folder: string, { control }: Ready): boolean {
  return !existsSync(join(folder, 'postmaster.pid')) && controlOf(folder) === control
}

function controlOf(folder: string): string {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'global/pg_control')))
    .digest('hex')
}

function readReady(file: string): Ready {
  return JSON.parse(readFileSync(file, 'utf8')) as Ready
}
