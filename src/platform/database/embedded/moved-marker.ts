import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncToDisk, writeToDisk } from './write-to-disk.ts'

/** `moved.json` in a data folder: its database is somewhere else now, and the one here must not be used by accident. */
export type MovedMarker = {
  /** The backup that the move went through, which the database there tells too. */
  id: string
  /** Host and name of the database there. */
  to: string
  moved_at: string
  /** False from just before the commit there until its end is known. */
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
    throw new Error(`${file}, which tells where the database was moved to, cannot be read: ${error}`)
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
      ? `the database of ${dataDirectory} was moved to ${to} at ${moved_at}; set DATABASE_URL to that one. To go back to the one here, without what was written there since, remove ${file}`
      : `the database of ${dataDirectory} was being moved to ${to} when the move was cut off at its last step; run "catalog move" again, which finishes it. To stay here, see that ${to} is empty, and remove ${file}`,
  )
}
