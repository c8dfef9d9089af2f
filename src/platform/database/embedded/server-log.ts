import { closeSync, openSync, readdirSync, readSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { embeddedLimits } from '../../limits/database.ts'

const noSpace = /No space left on device/
/** Messages about early connections and about the location of the log. */
const noise = /the database system is (starting up|not yet accepting|shutting down)|redirecting log output/

/** Collects the messages of a starting server, first from its output, then from its log folder. */
export function followLog(
  clusterFolder: string,
  startLog: string,
): { messages(): string; isFull(): boolean } {
  const logFolder = join(clusterFolder, 'log')
  const files = () => [startLog, ...listLogs(logFolder)]
  const before = new Map(files().map((file) => [file, sizeOf(file)]))

  function messages(): string {
    const [started = '', ...logs] = files().map((file) => readFrom(file, before.get(file) ?? 0))
    const errors = logs.join('\n').split('\n').filter(isFatal)
    return [...started.split('\n'), ...errors.slice(-5)]
      .filter((line) => line.trim() !== '' && !noise.test(line))
      .join('\n')
  }

  return {
    messages,
    // A full disk has no space for the error message either.
    isFull: () => noSpace.test(messages()) || freeBytes(clusterFolder) < embeddedLimits.fullDiskBytes,
  }
}

function isFatal(line: string): boolean {
  return /\b(FATAL|PANIC):/.test(line)
}

function listLogs(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** A file that shrank was started again, as logs are after a week. */
function readFrom(file: string, offset: number): string {
  const size = sizeOf(file)
  const start = Math.max(size < offset ? 0 : offset, size - embeddedLimits.logBytes)
  if (size <= start) return ''
  const bytes = Buffer.alloc(size - start)
  const descriptor = openSync(file, 'r')
  try {
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, start))
  } finally {
    closeSync(descriptor)
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
