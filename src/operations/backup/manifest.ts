import { Type } from 'typebox'

/** A later format has another number; a release reads its own and older ones. */
export const backupFormat = 1

const Count = Type.Integer({ minimum: 0 })
const Name = Type.String({ minLength: 1 })

const SavedTableSchema = Type.Object({
  name: Name,
  columns: Type.Array(Name, { minItems: 1 }),
  rows: Count,
  /** In the file, compressed. An empty table takes some bytes too. */
  bytes: Type.Integer({ minimum: 1 }),
  /** Of its rows as COPY writes them, before they are compressed. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

const SavedSequenceSchema = Type.Object({ name: Name, last_value: Type.Integer(), is_called: Type.Boolean() })

/**
 * What a backup holds, in the order of the file: a table comes after those that it refers to. Fields that this release does not know
 * are ignored.
 */
export const ManifestSchema = Type.Object({
  format: Type.Literal(backupFormat),
  /** Stored in the database that the backup is restored into. */
  id: Type.String({ format: 'uuid' }),
  release: Type.String({ pattern: '^\\d{1,9}\\.\\d{1,9}\\.\\d{1,9}$' }),
  taken_at: Type.String({ format: 'date-time' }),
  server_version: Type.String(),
  migrations: Type.Array(Type.Object({ name: Name, checksum: Name }), { minItems: 1 }),
  tables: Type.Array(SavedTableSchema, { minItems: 1 }),
  sequences: Type.Array(SavedSequenceSchema),
  /** The key of the database that encrypts webhook secrets, where the backup does not contain it. */
  left_out_key_id: Type.Optional(Type.String({ pattern: '^[0-9a-f]{8}$' })),
})

export type Manifest = Type.Static<typeof ManifestSchema>
export type SavedTable = Type.Static<typeof SavedTableSchema>
export type SavedSequence = Type.Static<typeof SavedSequenceSchema>

/*
 * The file, from its first byte to its last:
 *   catalog-service backup 1
 *   the rows of each table, as COPY writes them, each table a zstd stream of its own
 *   the manifest, as JSON in a line of its own
 *   the last line: where the manifest begins, and the SHA-256 of every byte before the digest itself
 * It is written without going back, so it can go into a pipe; a file that was cut has no last line.
 */
export const firstLine = Buffer.from(`catalog-service backup ${backupFormat}\n`)
const lastLine = /^manifest (\d{16}) sha256 ([0-9a-f]{64})\n$/

/** The last line without its digest, which covers this part too. */
export function lastLineStart(manifestAt: number): string {
  return `manifest ${String(manifestAt).padStart(16, '0')} sha256 `
}

export const digestLength = 64 + '\n'.length
export const lastLineLength = lastLineStart(0).length + digestLength

export function parseLastLine(text: string): { manifestAt: number; sha256: string } | undefined {
  const [, manifestAt, sha256] = lastLine.exec(text) ?? []
  return sha256 === undefined ? undefined : { manifestAt: Number(manifestAt), sha256 }
}
