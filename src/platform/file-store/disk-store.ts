import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  checkPath,
  type FileRange,
  type FileSource,
  type FileStore,
  FileStoreFailure,
  type StoredFile,
} from './file-store.ts'
import { findShortage } from './free-space.ts'

/** Files in a folder. Services on one database share it, or run on one host. */
export function diskStore(folder: string): FileStore {
  const incoming = join(folder, 'incoming')
  const placeOf = (path: string) => join(folder, checkPath(path))

  async function guard<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw new FileStoreFailure(`the folder ${folder}`, error)
    }
  }

  return {
    description: folder,
    incoming,
    put: (path, source) => guard(() => putFile(placeOf(path), source, incoming)),
    get: (path, range) => guard(() => getFile(placeOf(path), range)),
    sizeOf: (path) => guard(() => sizeOf(placeOf(path))),
    remove: (path) => guard(() => rm(placeOf(path), { force: true })),
    removeFolder: (path) => guard(() => rm(placeOf(path), { recursive: true, force: true })),
    findShortage: () => guard(() => findShortage(folder)),
  }
}

/** The file gets its name only after its content is on the disk. */
async function putFile(place: string, source: FileSource, incoming: string): Promise<void> {
  const temporary = 'file' in source ? source.file : await writeTemporary(source.bytes, incoming)
  try {
    await syncPath(temporary)
    const firstCreated = await mkdir(dirname(place), { recursive: true })
    await rename(temporary, place)
    await syncFolders(dirname(place), firstCreated)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function writeTemporary(bytes: Uint8Array, incoming: string): Promise<string> {
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  const temporary = join(incoming, randomBytes(16).toString('hex'))
  await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600 })
  return temporary
}

/** The folder of the file, and those above it that this write created. */
async function syncFolders(folder: string, firstCreated: string | undefined): Promise<void> {
  await syncPath(folder)
  if (firstCreated === undefined) return
  for (let created = folder; created.length >= firstCreated.length; created = dirname(created))
    await syncPath(dirname(created))
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

async function getFile(place: string, range: FileRange | undefined): Promise<StoredFile | undefined> {
  const handle = await openExisting(place)
  if (handle === undefined) return undefined
  try {
    const bytes = range === undefined ? (await handle.stat()).size : range.end - range.start + 1
    return { bytes, body: handle.createReadStream(range) }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function openExisting(place: string): Promise<FileHandle | undefined> {
  return open(place, 'r').catch(ignoreMissing)
}

async function sizeOf(place: string): Promise<number | undefined> {
  return (await stat(place).catch(ignoreMissing))?.size
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
