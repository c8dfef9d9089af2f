import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { escapeControlCharacters } from '../../platform/terminal/escape-control-characters.ts'
import { fileLimits } from '../limits.ts'
import { fileStats, type ImportFormat } from './import-file.ts'
import type { FileLine } from './rows/file-line.ts'

/** Receives rejected lines with their errors. */
export type Rejects = {
  write(head: () => string, line: FileLine, errors: string): void
  close(): string | null
}

export function rejectsOf(
  file: string,
  format: ImportFormat,
  rejected: string | undefined,
  dryRun: boolean,
): Rejects {
  if (rejected === undefined && dryRun) return printRejected()
  if (rejected === undefined && file === '-')
    throw new Error('standard input requires --rejected FILE for rejected lines')
  const path = rejected ?? `${file}.rejected.${format === 'csv' ? 'csv' : 'ndjson'}`
  const existing = statSync(path, { throwIfNoEntry: false })
  const source = file === '-' ? undefined : fileStats(file)
  if (existing !== undefined && existing.dev === source?.dev && existing.ino === source.ino)
    throw new Error(`${path} is the imported file; use another file for rejected lines`)
  return saveRejected(path)
}

/** Creates the file when the first line is rejected. */
function saveRejected(path: string): Rejects {
  let file: number | undefined
  return {
    write(head, line, errors) {
      if (file === undefined) {
        file = openSync(path, 'w')
        writeSync(file, head())
      }
      writeSync(file, line.rejected(errors))
    },
    close() {
      if (file === undefined) return null
      closeSync(file)
      return path
    },
  }
}

/** A dry run writes no file. */
function printRejected(): Rejects {
  let printed = 0
  return {
    write(_head, { line }, errors) {
      printed += 1
      if (printed <= fileLimits.importErrors)
        process.stderr.write(`line ${line.number}: ${escapeControlCharacters(errors)}\n`)
      if (printed === fileLimits.importErrors + 1)
        process.stderr.write('and more; use --rejected FILE to save all of them\n')
    },
    close: () => null,
  }
}
