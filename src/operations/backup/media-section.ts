import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { listOriginals, type StoredOriginal } from '../../catalog/media-store/stored-files.sql.ts'
import { originalFile } from '../../model/assets/asset-urls.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'

/* The media files in a backup, one after another. They are already compressed formats, so the backup does not compress them. */

const headerForm =
  /^\{"project_id":(\d{1,15}),"hash":"([0-9a-f]{64})","file":"([0-9a-f]{16})","bytes":(\d{1,12})\}$/
const longestHeader = 200

function headerOf({ project_id, hash, file, bytes }: StoredOriginal): string {
  return JSON.stringify({ project_id, hash, file, bytes })
}

/** Yields the bytes of the section. A file that is missing or incomplete is left out, so that the backup contains all others. */
export async function* mediaParts(
  database: Queryable,
  store: Pick<FileStore, 'get'>,
  onFile: () => void,
): AsyncGenerator<Buffer> {
  for await (const originals of listOriginals(database))
    for (const original of originals) {
      const found = await store.get(originalFile(original.project_id, original.hash, original.file))
      if (found === undefined) continue
      if (found.bytes !== original.bytes) {
        found.body.destroy()
        continue
      }
      yield Buffer.from(`${headerOf(original)}\n`)
      yield* exactly(found.body, original)
      onFile()
    }
}

/** A file never changes, so a different length is an error of the store. */
async function* exactly(body: Readable, { bytes, hash }: StoredOriginal): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const part of body) {
    left -= part.length
    yield part
  }
  if (left !== 0) throw new Error(`the file ${hash} changed while it was read`)
}

export type SavedFile = StoredOriginal & { open(): Readable }

/** The files of a section between two positions of the backup file. */
export async function* readMediaSection(
  path: string,
  handle: Pick<FileHandle, 'read'>,
  start: number,
  end: number,
): AsyncGenerator<SavedFile> {
  let position = start
  while (position < end) {
    const { header, length } = await readHeader(handle, position, Math.min(longestHeader, end - position))
    const from = position + length
    position = from + header.bytes
    if (position > end) throw new Error('the files of the backup do not match its manifest')
    const last = position - 1
    yield { ...header, open: () => createReadStream(path, { start: from, end: last }) }
  }
}

async function readHeader(handle: Pick<FileHandle, 'read'>, position: number, most: number) {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(most), 0, most, position)
  const [line = ''] = buffer.subarray(0, bytesRead).toString('latin1').split('\n', 1)
  const [, project, hash, file, bytes] = headerForm.exec(line) ?? []
  if (hash === undefined || file === undefined || Number(bytes) === 0)
    throw new Error('the files of the backup do not match its manifest')
  return {
    header: { project_id: Number(project), hash, file, bytes: Number(bytes) },
    length: line.length + '\n'.length,
  }
}
