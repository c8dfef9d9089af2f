import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { queryableOf } from '../../platform/database/connections/connect.ts'
import { blockMigrations } from '../../platform/database/migration/lock.ts'
import { thisRelease } from '../../platform/database/migration/migration-file.ts'
import { readApplied } from '../../platform/database/migration/state.ts'
import { findStoredKeyId } from '../../platform/secrets/secret-cipher.ts'
import { backupParts } from './backup-parts.ts'
import { connectForCopy } from './copy-connection.ts'
import { inOrderOfReferences } from './in-order-of-references.ts'
import { requireKnownMigrations } from './known-migrations.ts'
import { backupFormat, type Manifest } from './manifest.ts'
import { ownNames } from './own-names.ts'
import { listTables, readServerFacts, type StoredTable } from './schema.sql.ts'

/** The migrator fills the first; sessions belong to the service that opened them, and a copy may run next to it. */
const leftOut = ['migrations', 'sessions']
/** The keys that the database keeps: one encrypts webhook secrets, one signs session cookies. */
const keysTable = 'secrets'

export type BackupOptions = {
  /** Without the keys, a backup alone cannot be decrypted. A database that only moves keeps them. */
  areKeysIncluded?: boolean
  /** Hears what is waited for, for people. */
  report?: (line: string) => void
  /** Hears how many bytes of rows were read so far. */
  onProgress?: (bytes: number) => void
  /** Ends the work where it is; the output is then of no use. */
  signal?: AbortSignal
}

/** Writes all that one moment of the database holds. Whoever writes meanwhile does not wait. */
export async function writeBackup(
  connection: pg.ClientConfig,
  output: Writable,
  { areKeysIncluded = false, report = () => {}, onProgress = () => {}, signal }: BackupOptions = {},
): Promise<Manifest> {
  const client = await connectForCopy(connection, signal)
  try {
    await blockMigrations(client, report)
    const { tables, ...facts } = await beginSnapshot(client, areKeysIncluded)
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

type Snapshot = Pick<
  Manifest,
  'release' | 'taken_at' | 'server_version' | 'migrations' | 'left_out_key_id'
> & {
  tables: StoredTable[]
}

async function beginSnapshot(client: pg.Client, areKeysIncluded: boolean): Promise<Snapshot> {
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
  const hidesKeys = !areKeysIncluded && tables.some(({ name }) => name === keysTable)
  const keyId = hidesKeys ? await findStoredKeyId(database) : undefined
  const names = new Set(hidesKeys ? [...leftOut, keysTable] : leftOut)
  return {
    release: release.version,
    ...(await readServerFacts(database)),
    migrations: applied.map(({ name, checksum }) => ({ name, checksum })),
    ...(keyId === undefined ? {} : { left_out_key_id: keyId }),
    tables: inOrderOfReferences(tables.filter(({ name, isUnlogged }) => !isUnlogged && !names.has(name))),
  }
}
