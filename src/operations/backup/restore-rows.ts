import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { queryableOf } from '../../platform/database/connections/connect.ts'
import { thisRelease } from '../../platform/database/migration/migration-file.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { refuseOwned } from './create-schema.ts'
import { digestRows } from './digest-rows.ts'
import type { Manifest, SavedTable } from './manifest.ts'
import type { Backup } from './open-backup.ts'
import { restoreMedia } from './restore-media.ts'
import { addRestore, type RestoreKind } from './restores.sql.ts'
import {
  listSecondaryIndexes,
  listSequences,
  listTables,
  type StoredTable,
  setSequence,
} from './schema.sql.ts'
import { listSchemaNames } from './schema-names.ts'

/** Server memory for building an index; beyond it, the server sorts on disk. */
const indexMemory = '256MB'

export type RestoreOptions = {
  /** Receives progress messages for people. */
  report?: (line: string) => void
  /** Receives the bytes of rows written and their share of the total, from 0 to 1. */
  onProgress?: (bytes: number, part: number) => void
  kind?: RestoreKind
  /** Where the files of the backup are restored to, if it includes files. */
  store?: FileStore | undefined
  /** Called before the commit. If it throws, the transaction is rolled back. */
  beforeCommit?: (manifest: Manifest) => Promise<void>
}

/** Restores all rows of the file atomically. */
export async function restoreRows(
  client: pg.Client,
  backup: Backup,
  options: Required<RestoreOptions>,
): Promise<void> {
  const database = queryableOf(client)
  const names = listSchemaNames(thisRelease().migrations)
  await client.query(
    `begin isolation level read committed; set local maintenance_work_mem = '${indexMemory}'`,
  )
  await refuseOwned(database, names)
  const tables = (await listTables(database, names)).filter(({ name }) => name !== 'migrations')
  const all = tables.map(({ identifier }) => identifier).join(', ')
  // The file already contains what triggers would write. Foreign keys stay, because only a superuser can disable them.
  await client.query(eachTable(tables, 'disable trigger user'))
  await client.query(`truncate ${all}`)
  const indexes = await listSecondaryIndexes(
    database,
    tables.map(({ name }) => name),
  )
  if (indexes.length > 0)
    await client.query(`drop index ${indexes.map(({ identifier }) => identifier).join(', ')}`)
  await copyTables(client, backup, tables, options)
  options.report('building the indexes')
  for (const { definition } of indexes) await client.query(definition)
  const sequences = await listSequences(database, names)
  for (const sequence of backup.manifest.sequences) {
    // The manifest may come from another program, and other programs may have sequences in the same database.
    if (!sequences.includes(sequence.name))
      throw new Error(`the schema of the backup has no sequence ${sequence.name}`)
    await setSequence(database, sequence)
  }
  await client.query(eachTable(tables, 'enable trigger user'))
  await addRestore(database, backup.manifest, options.kind)
  if (options.store !== undefined) {
    options.report('writing the media files')
    await restoreMedia(database, backup, options.store, (bytes) => options.onProgress(bytes, 1))
  }
  await options.beforeCommit(backup.manifest)
  await client.query('commit')
}

function eachTable(tables: StoredTable[], action: string): string {
  return tables.map(({ identifier }) => `alter table ${identifier} ${action}`).join('; ')
}

async function copyTables(
  client: pg.Client,
  { manifest, rowsOf, partBefore }: Backup,
  tables: StoredTable[],
  { onProgress }: Pick<Required<RestoreOptions>, 'onProgress'>,
): Promise<void> {
  let written = 0
  for (const saved of manifest.tables) {
    const table = tables.find(({ name }) => name === saved.name)
    // The names become part of a statement, and the manifest may come from another program.
    if (table === undefined || saved.columns.some((column) => !table.columns.includes(column)))
      throw new Error(`the schema of the backup has no table ${saved.name} with these columns`)
    const part = partBefore(saved)
    await copyTable(client, table.identifier, saved, rowsOf(saved), (bytes) => {
      written += bytes
      onProgress(written, part)
    })
  }
}

async function copyTable(
  client: pg.Client,
  identifier: string,
  saved: SavedTable,
  rows: NodeJS.ReadableStream,
  onWritten: (bytes: number) => void,
): Promise<void> {
  // FREEZE is possible because this transaction truncated the table, and avoids a later vacuum.
  const text = `copy ${identifier} (${saved.columns.join(', ')}) from stdin with (freeze)`
  const table = client.query(copyFrom(text))
  const digest = digestRows(onWritten)
  await pipeline(rows, digest.pass, table).catch((error) => {
    throw new Error(`cannot restore the rows of ${saved.name}: ${error.message}`, { cause: error })
  })
  if (digest.sha256() !== saved.sha256 || table.rowCount !== saved.rows)
    throw new Error(
      `the rows of ${saved.name} do not match the backup's manifest (${table.rowCount} of ${saved.rows}); nothing was restored`,
    )
}
