import { closeSync, openSync, readdirSync, readSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'

const mostBytes = 64 * 1024
const fullBytes = 256 * 1024
const noSpace = /No space left on device/
/** Said to those who knock too early, and of where the log is. */
const noise = /the database system is (starting up|not yet accepting|shutting down)|redirecting log output/

/** Collects what a starting server says, first on its own output, then in the log of its folder. */
export function followLog(clusterFolder: string, startLog: string): { words(): string; isFull(): boolean } {
  const logFolder = join(clusterFolder, 'log')
  const files = () => [startLog, ...listLogs(logFolder)]
  const before = new Map(files().map((file) => [file, sizeOf(file)]))

  function words(): string {
    const [started = '', ...logs] = files().map((file) => readFrom(file, before.get(file) ?? 0))
    const faults = logs.join('\n').split('\n').filter(isFault)
    return [...started.split('\n'), ...faults.slice(-5)]
      .filter((line) => line.trim() !== '' && !noise.test(line))
      .join('\n')
  }

  return {
    words,
    // A full disk has no room for the message about it either.
    isFull: () => noSpace.test(words()) || freeBytes(clusterFolder) < fullBytes,
  }
}

function isFault(line: string): boolean {
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

/** A file that shrank was begun anew, as the logs are after a week. */
function readFrom(file: string, offset: number): string {
  const size = sizeOf(file)
  const start = Math.max(size < offset ? 0 : offset, size - mostBytes)
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
