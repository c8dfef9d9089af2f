import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { escapeControlCharacters } from '../../platform/terminal/escape-control-characters.ts'
import { fileLimits } from '../limits.ts'
import { fileStats, type ImportFormat } from './import-file.ts'
import type { FileLine } from './rows/file-line.ts'

/** Where rejected lines go, with what is wrong with them. */
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
  if (rejected === undefined && dryRun) return tellRejected()
  if (rejected === undefined && file === '-')
    throw new Error('say where lines of standard input go that are rejected: --rejected FILE')
  const path = rejected ?? `${file}.rejected.${format === 'csv' ? 'csv' : 'ndjson'}`
  const there = statSync(path, { throwIfNoEntry: false })
  const source = file === '-' ? undefined : fileStats(file)
  if (there !== undefined && there.dev === source?.dev && there.ino === source.ino)
    throw new Error(`${path} is the file that is imported; name another one for rejected lines`)
  return keepRejected(path)
}

/** A file, made when the first line is rejected. */
function keepRejected(path: string): Rejects {
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

/** A dry run leaves no file behind. */
function tellRejected(): Rejects {
  let told = 0
  return {
    write(_head, { line }, errors) {
      told += 1
      if (told <= fileLimits.importErrors)
        process.stderr.write(`line ${line.number}: ${escapeControlCharacters(errors)}\n`)
      if (told === fileLimits.importErrors + 1)
        process.stderr.write('and more; --rejected FILE keeps all of them\n')
    },
    close: () => null,
  }
}
