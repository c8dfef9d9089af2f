import { createHash, randomUUID } from 'node:crypto'
import { pipeline as startPipeline, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { queryableOf } from '../database/connect.ts'
import { keepMigrationsOut } from '../database/migration/lock.ts'
import { thisRelease } from '../database/migration/migration-file.ts'
import { readApplied } from '../database/migration/state.ts'
import { connectForCopy } from './copy-connection.ts'
import { inOrderOfReferences } from './in-order-of-references.ts'
import { requireKnownMigrations } from './known-migrations.ts'
import { backupFormat, firstLine, lastLineStart, type Manifest, type SavedTable } from './manifest.ts'
import { ownNames } from './own-names.ts'
import { listSequences, listTables, readSequence, readServerFacts, type StoredTable } from './schema.sql.ts'

/** The migrator fills the first; the others would let whoever has the file act as somebody who is signed in. */
const leftOut = new Set(['migrations', 'sessions'])

const compressedPartBytes = 256 * 1024

export type BackupOptions = {
  /** Hears what is waited for, for people. */
  tell?: (line: string) => void
  /** Hears how many bytes of rows were read so far. */
  onProgress?: (bytes: number) => void
  /** Ends the work where it is; the output is then of no use. */
  signal?: AbortSignal
}

/** Writes all that one moment of the database holds. Whoever writes meanwhile does not wait. */
export async function writeBackup(
  connection: pg.ClientConfig,
  output: Writable,
  { tell = () => {}, onProgress = () => {}, signal }: BackupOptions = {},
): Promise<Manifest> {
  const client = await connectForCopy(connection, signal)
  try {
    await keepMigrationsOut(client, tell)
    const { tables, ...facts } = await beginSnapshot(client)
    const manifest: Manifest = { format: backupFormat, id: randomUUID(), ...facts, tables: [], sequences: [] }
    const parts = backupParts(client, tables, manifest, onProgress)
    // The standard output is not ours to close.
    await pipeline(parts, output, { end: output !== process.stdout })
    return manifest
  } finally {
    // A connection that is still at a COPY is cut.
    await client.end().catch(() => {})
  }
}

type Snapshot = Pick<Manifest, 'release' | 'taken_at' | 'server_version' | 'migrations'> & {
  tables: StoredTable[]
}

async function beginSnapshot(client: pg.Client): Promise<Snapshot> {
  const database = queryableOf(client)
  const release = thisRelease()
  const tables = await listTables(database, ownNames(release.migrations))
  if (tables.length === 0) throw new Error('the database has no schema yet, so there is nothing to back up')
  await client.query('begin isolation level repeatable read read only')
  // Before the snapshot is taken: a table that somebody rewrites after it would seem to be empty.
  await client.query(
    `lock table ${tables.map(({ identifier }) => identifier).join(', ')} in access share mode`,
  )
  const applied = await readApplied(database)
  requireKnownMigrations(applied, 'the database')
  const cut = applied.find((migration) => !migration.is_complete)
  if (cut !== undefined) throw new Error(`migration ${cut.name} was cut short; run "catalog migrate" first`)
  return {
    release: release.version,
    ...(await readServerFacts(database)),
    migrations: applied.map(({ name, checksum }) => ({ name, checksum })),
    tables: inOrderOfReferences(tables.filter(({ name, isUnlogged }) => !isUnlogged && !leftOut.has(name))),
  }
}

/** The bytes of the file. The manifest is filled as they come. */
async function* backupParts(
  client: pg.Client,
  tables: StoredTable[],
  manifest: Manifest,
  onProgress: (bytes: number) => void,
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
  const names = ownNames(thisRelease().migrations)
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
  const digest = createHash('sha256')
  async function* hashed(source: AsyncIterable<Buffer>) {
    for await (const part of source) {
      digest.update(part)
      onRead(part.length)
      yield part
    }
  }
  const compressed = createZstdCompress({ chunkSize: compressedPartBytes })
  // Whatever fails on the way fails the last stream, which is read here.
  startPipeline(rows, hashed, compressed, () => {})
  for await (const part of compressed) {
    saved.bytes += part.length
    yield part
  }
  // The server tells the number of rows after the last of them: it is known when the connection takes the next statement.
  await client.query('select')
  saved.rows = rows.rowCount
  saved.sha256 = digest.digest('hex')
}
