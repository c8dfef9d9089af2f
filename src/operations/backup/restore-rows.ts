import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { queryableOf } from '../../platform/database/connections/connect.ts'
import { thisRelease } from '../../platform/database/migration/migration-file.ts'
import { digestRows } from './digest-rows.ts'
import { refuseOwned } from './make-schema.ts'
import type { Manifest, SavedTable } from './manifest.ts'
import type { Backup } from './open-backup.ts'
import { ownNames } from './own-names.ts'
import { addRestore, type RestoreKind } from './restores.sql.ts'
import {
  listSecondaryIndexes,
  listSequences,
  listTables,
  type StoredTable,
  setSequence,
} from './schema.sql.ts'

/** Memory of the server for building an index, beyond which it sorts on disk. */
const indexMemory = '256MB'

export type RestoreOptions = {
  /** Hears what is waited for and what takes long, for people. */
  report?: (line: string) => void
  /** Hears how many bytes of rows were written so far, and which part of the whole that is, from 0 to 1. */
  onProgress?: (bytes: number, part: number) => void
  kind?: RestoreKind
  /** The last word before the commit; what it throws undoes everything. */
  beforeCommit?: (manifest: Manifest) => Promise<void>
}

/** All rows of the file, or none. */
export async function restoreRows(
  client: pg.Client,
  backup: Backup,
  options: Required<RestoreOptions>,
): Promise<void> {
  const database = queryableOf(client)
  const names = ownNames(thisRelease().migrations)
  await client.query(
    `begin isolation level read committed; set local maintenance_work_mem = '${indexMemory}'`,
  )
  await refuseOwned(database, names)
  const tables = (await listTables(database, names)).filter(({ name }) => name !== 'migrations')
  const all = tables.map(({ identifier }) => identifier).join(', ')
  // What the triggers would write is in the file already. Foreign keys stay: an owner who is no superuser cannot turn them off.
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
    // Another program may have written the name, and another program's sequence may be in the same database.
    if (!sequences.includes(sequence.name))
      throw new Error(`the schema of the backup has no sequence ${sequence.name}`)
    await setSequence(database, sequence)
  }
  await client.query(eachTable(tables, 'enable trigger user'))
  await addRestore(database, backup.manifest, options.kind)
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
    // The names go into a statement, and somebody else may have written them.
    if (table === undefined || saved.columns.some((column) => !table.columns.includes(column)))
      throw new Error(`the schema of the backup has no table ${saved.name} with such columns`)
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
  // Frozen: the rows are of a table that is emptied in this transaction, and need no vacuum to be seen by everybody.
  const text = `copy ${identifier} (${saved.columns.join(', ')}) from stdin with (freeze)`
  const table = client.query(copyFrom(text))
  const digest = digestRows(onWritten)
  await pipeline(rows, digest.pass, table).catch((error) => {
    throw new Error(`the rows of ${saved.name} cannot be restored: ${error.message}`, { cause: error })
  })
  if (digest.sha256() !== saved.sha256 || table.rowCount !== saved.rows)
    throw new Error(
      `the rows of ${saved.name} are not those that were saved (${table.rowCount} of ${saved.rows}); nothing was restored`,
    )
}
