import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { countOriginals } from '../../catalog/media-store/stored-files.sql.ts'
import { queryableOf } from '../../platform/database/connections/connect.ts'
import { blockMigrations } from '../../platform/database/migration/lock.ts'
import { thisRelease } from '../../platform/database/migration/migration-file.ts'
import { readApplied } from '../../platform/database/migration/state.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { findStoredKeyId } from '../../platform/secrets/secret-cipher.ts'
import { backupParts } from './backup-parts.ts'
import { connectForCopy } from './copy-connection.ts'
import { requireKnownMigrations } from './known-migrations.ts'
import { backupFormat, type Manifest } from './manifest.ts'
import { listTables, readServerFacts, type StoredTable } from './schema.sql.ts'
import { listSchemaNames } from './schema-names.ts'
import { sortByReferences } from './sort-by-references.ts'

/** Migrations are recreated on restore. Sessions must not be valid in a copy. */
const excludedTables = ['migrations', 'sessions']
/** The keys stored in the database: one encrypts webhook secrets, one signs session cookies. */
const keysTable = 'secrets'

export type BackupOptions = {
  /** Without the keys, no one can decrypt secrets from the backup alone. A move includes them. */
  areKeysIncluded?: boolean
  /** The store whose files the backup includes. */
  store?: FileStore | undefined
  /** Receives progress messages for people. */
  report?: (line: string) => void
  /** Receives the bytes of rows read so far. */
  onProgress?: (bytes: number) => void
  /** Aborts the backup; the output is then incomplete. */
  signal?: AbortSignal
}

/** Writes a consistent snapshot of the database without blocking other writes. */
export async function writeBackup(
  connection: pg.ClientConfig,
  output: Writable,
  { areKeysIncluded = false, store, report = () => {}, onProgress = () => {}, signal }: BackupOptions = {},
): Promise<Manifest> {
  const client = await connectForCopy(connection, signal)
  try {
    await blockMigrations(client, report)
    const { tables, ...facts } = await beginSnapshot(client, areKeysIncluded)
    const manifest: Manifest = { format: backupFormat, id: randomUUID(), ...facts, tables: [], sequences: [] }
    const parts = backupParts(client, tables, manifest, { onProgress, store })
    // Must not close standard output.
    await pipeline(parts, output, { end: output !== process.stdout })
    return manifest
  } finally {
    // Also closes a connection that is still executing COPY.
    await client.end().catch(() => {})
  }
}

type Snapshot = Pick<
  Manifest,
  'release' | 'taken_at' | 'server_version' | 'migrations' | 'media' | 'left_out_key_id'
> & {
  tables: StoredTable[]
}

async function beginSnapshot(client: pg.Client, areKeysIncluded: boolean): Promise<Snapshot> {
  const database = queryableOf(client)
  const release = thisRelease()
  const tables = await listTables(database, listSchemaNames(release.migrations))
  if (tables.length === 0) throw new Error('the database has no schema yet; there is nothing to back up')
  await client.query('begin isolation level repeatable read read only')
  // Locked before the snapshot: a table that is rewritten after it would appear empty.
  await client.query(
    `lock table ${tables.map(({ identifier }) => identifier).join(', ')} in access share mode`,
  )
  const applied = await readApplied(database)
  requireKnownMigrations(applied, 'the database')
  const cut = applied.find((migration) => !migration.is_complete)
  if (cut !== undefined) throw new Error(`migration ${cut.name} is incomplete; run "catalog migrate" first`)
  const hidesKeys = !areKeysIncluded && tables.some(({ name }) => name === keysTable)
  const keyId = hidesKeys ? await findStoredKeyId(database) : undefined
  const names = new Set(hidesKeys ? [...excludedTables, keysTable] : excludedTables)
  return {
    release: release.version,
    ...(await readServerFacts(database)),
    migrations: applied.map(({ name, checksum }) => ({ name, checksum })),
    ...(tables.some(({ name }) => name === 'assets') && { media: await countOriginals(database) }),
    ...(keyId === undefined ? {} : { left_out_key_id: keyId }),
    tables: sortByReferences(tables.filter(({ name, isUnlogged }) => !isUnlogged && !names.has(name))),
  }
}
