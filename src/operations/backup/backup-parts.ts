import { createHash } from 'node:crypto'
import { pipeline as startPipeline } from 'node:stream'
import { createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { queryableOf } from '../../platform/database/connections/connect.ts'
import { thisRelease } from '../../platform/database/migration/migration-file.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { digestRows } from './digest-rows.ts'
import { firstLine, lastLineStart, type Manifest, type SavedTable } from './manifest.ts'
import { mediaParts } from './media-section.ts'
import { listSequences, readSequence, type StoredTable } from './schema.sql.ts'
import { listSchemaNames } from './schema-names.ts'

const compressedPartBytes = 256 * 1024

/** Yields the bytes of the backup file and fills the manifest on the way. */
export async function* backupParts(
  client: pg.Client,
  tables: StoredTable[],
  manifest: Manifest,
  { onProgress, store }: { onProgress: (bytes: number) => void; store?: FileStore | undefined },
): AsyncGenerator<Buffer> {
  const digest = createHash('sha256')
  let position = 0
  const counted = (part: Buffer) => {
    digest.update(part)
    position += part.length
    return part
  }
  let read = 0
  const onRead = (bytes: number) => {
    read += bytes
    onProgress(read)
  }
  yield counted(firstLine)
  for (const { name, identifier, columns } of tables) {
    const saved: SavedTable = { name, columns, rows: 0, bytes: 0, sha256: '' }
    manifest.tables.push(saved)
    for await (const part of tableParts(client, identifier, saved, onRead)) yield counted(part)
  }
  const database = queryableOf(client)
  if (manifest.media !== undefined && store !== undefined) {
    const start = position
    const included = { files: 0, sectionBytes: 0 }
    for await (const part of mediaParts(database, store, () => (included.files += 1))) {
      onRead(part.length)
      yield counted(part)
    }
    manifest.media.included = { ...included, sectionBytes: position - start }
  }
  const names = listSchemaNames(thisRelease().migrations)
  for (const sequence of await listSequences(database, names))
    manifest.sequences.push(await readSequence(database, sequence))
  yield counted(Buffer.from('\n'))
  const manifestAt = position
  yield counted(Buffer.from(`${JSON.stringify(manifest)}\n`))
  yield counted(Buffer.from(lastLineStart(manifestAt)))
  yield Buffer.from(`${digest.digest('hex')}\n`)
}

async function* tableParts(
  client: pg.Client,
  identifier: string,
  saved: SavedTable,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const rows = client.query(copyTo(`copy ${identifier} (${saved.columns.join(', ')}) to stdout`))
  const digest = digestRows(onRead)
  const compressed = createZstdCompress({ chunkSize: compressedPartBytes })
  // An error in any stream surfaces in the last one, which is read here.
  startPipeline(rows, digest.pass, compressed, () => {})
  for await (const part of compressed) {
    saved.bytes += part.length
    yield part
  }
  // The server reports the number of rows at the end: it is known once the connection accepts the next statement.
  await client.query('select')
  saved.rows = rows.rowCount
  saved.sha256 = digest.sha256()
}
