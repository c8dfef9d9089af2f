import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncToDisk, writeToDisk } from './write-to-disk.ts'

/** `moved.json` in a data folder: the database was moved, and the one here must not be used by accident. */
export type MovedMarker = {
  /** The ID of the backup behind the move, which the target database also records. */
  id: string
  /** Host and name of the target database. */
  to: string
  moved_at: string
  /** False from just before the commit in the target until its result is known. */
  is_complete: boolean
}

function fileIn(dataDirectory: string): string {
  return join(dataDirectory, 'moved.json')
}

export function readMovedMarker(dataDirectory: string): MovedMarker | undefined {
  const file = fileIn(dataDirectory)
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as MovedMarker
  } catch (error) {
    throw new Error(`${file}, which records where the database was moved to, cannot be read: ${error}`)
  }
}

export function writeMovedMarker(dataDirectory: string, mark: MovedMarker): void {
  writeToDisk(fileIn(dataDirectory), `${JSON.stringify(mark, null, 2)}\n`)
}

export function removeMovedMarker(dataDirectory: string): void {
  rmSync(fileIn(dataDirectory), { force: true })
  syncToDisk(dataDirectory)
}

export function refuseMoved(dataDirectory: string): void {
  const mark = readMovedMarker(dataDirectory)
  if (mark === undefined) return
  const { to, moved_at, is_complete } = mark
  const file = fileIn(dataDirectory)
  throw new Error(
    is_complete
      ? `the database of ${dataDirectory} was moved to ${to} at ${moved_at}; set DATABASE_URL to that database. To return to the one here, without later changes, remove ${file}`
      : `the database of ${dataDirectory} was being moved to ${to}, and the move was interrupted in its last step; run "catalog move" again to finish it. To stay here, check that ${to} is empty, then remove ${file}`,
  )
}
