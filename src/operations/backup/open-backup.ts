import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { type Readable, pipeline as startPipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { mebibyte } from '../../platform/units.ts'
import { operationLimits } from '../limits.ts'
import {
  backupFormat,
  digestLength,
  firstLine,
  lastLineLength,
  type Manifest,
  parseLastLine,
  type SavedTable,
} from './manifest.ts'
import { readMediaSection, type SavedFile } from './media-section.ts'
import { parseManifest } from './parse-manifest.ts'

/** A file that is complete, unmodified and readable by this release. */
export type Backup = {
  manifest: Manifest
  /** The rows of a table in COPY format. */
  rowsOf(table: SavedTable): Readable
  /** The media files that the backup includes, in the order of the file. */
  mediaFiles(): AsyncGenerator<SavedFile>
  /** The share of bytes before the rows of a table, from 0 to 1. */
  partBefore(table: SavedTable): number
}

/** Verifies the whole file before anything is restored from it. */
export async function openBackup(file: string): Promise<Backup> {
  const manifest = await readManifest(file)
  const starts = new Map<SavedTable, number>()
  let position = firstLine.length
  for (const table of manifest.tables) {
    starts.set(table, position)
    position += table.bytes
  }
  const mediaAt = position
  position += manifest.media?.included?.sectionBytes ?? 0
  const startOf = (table: SavedTable) => starts.get(table) ?? 0
  return {
    manifest,
    rowsOf(table) {
      const start = startOf(table)
      const compressed = createReadStream(file, { start, end: start + table.bytes - 1 })
      return startPipeline(compressed, createZstdDecompress(), () => {})
    },
    async *mediaFiles() {
      const handle = await open(file)
      try {
        yield* readMediaSection(file, handle, mediaAt, position)
      } finally {
        await handle.close()
      }
    },
    partBefore: (table) => startOf(table) / position,
  }
}

async function readManifest(file: string): Promise<Manifest> {
  const handle = await openFile(file).catch((error) => {
    throw new Error(`cannot read ${file}: ${error.message}`)
  })
  try {
    await refuseOther(handle, file)
    const { size } = await handle.stat()
    const lastLine = await readAt(handle, Math.max(0, size - lastLineLength), lastLineLength)
    const end = parseLastLine(lastLine.toString('latin1'))
    const length = size - lastLineLength - (end?.manifestAt ?? 0)
    if (end === undefined || length < 0)
      throw new Error(`${file} is truncated; use another copy or an older backup`)
    if ((await digestOf(file, size - digestLength)) !== end.sha256)
      throw new Error(
        `${file} was modified: its checksum does not match; use another copy or an older backup`,
      )
    const text = await readAt(handle, end.manifestAt, Math.min(length, operationLimits.manifestBytes + 1))
    return parseManifest(text.toString('utf8'), end.manifestAt, file)
  } finally {
    await handle.close()
  }
}

async function openFile(file: string): Promise<FileHandle> {
  if (!(await stat(file)).isFile())
    throw new Error('it must be a regular file, because a backup is read more than once')
  return open(file)
}

async function refuseOther(handle: FileHandle, file: string): Promise<void> {
  const line = (await readAt(handle, 0, firstLine.length)).toString('latin1')
  if (line === firstLine.toString('latin1')) return
  const format = /^catalog-service backup (\d+)/.exec(line)?.[1]
  throw new Error(
    format === undefined
      ? `${file} is not a Catalog Service backup`
      : `${file} has format ${format}, but this version reads format ${backupFormat}; use a newer version`,
  )
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

async function digestOf(file: string, length: number): Promise<string> {
  const digest = createHash('sha256')
  for await (const part of createReadStream(file, { end: length - 1, highWaterMark: mebibyte }))
    digest.update(part)
  return digest.digest('hex')
}
