import { Type } from 'typebox'

/** A release reads its own format and older ones. */
export const backupFormat = 1

const Count = Type.Integer({ minimum: 0 })
const Name = Type.String({ minLength: 1 })

const SavedTableSchema = Type.Object({
  name: Name,
  columns: Type.Array(Name, { minItems: 1 }),
  rows: Count,
  /** Compressed size in the file. An empty table takes some bytes too. */
  bytes: Type.Integer({ minimum: 1 }),
  /** Checksum of the rows in COPY format, before compression. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

const SavedSequenceSchema = Type.Object({ name: Name, last_value: Type.Integer(), is_called: Type.Boolean() })

/** Uploaded files. The table of assets lists them by hash and size. */
const SavedMediaSchema = Type.Object({
  files: Count,
  bytes: Count,
  /** The files in the backup, and the size of the section that contains them. */
  included: Type.Optional(Type.Object({ files: Count, sectionBytes: Count })),
})

/**
 * The content of a backup in file order: a table comes after the tables that it references. Unknown fields are ignored.
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
  media: Type.Optional(SavedMediaSchema),
  /** ID of the key that encrypts webhook secrets, if the backup does not contain the key. */
  left_out_key_id: Type.Optional(Type.String({ pattern: '^[0-9a-f]{8}$' })),
})

export type Manifest = Type.Static<typeof ManifestSchema>
export type SavedTable = Type.Static<typeof SavedTableSchema>
export type SavedSequence = Type.Static<typeof SavedSequenceSchema>

/*
 * The file, from its first byte to its last:
 *   catalog-service backup 1
 *   the rows of each table in COPY format, one zstd stream per table
 *   media files, if the backup includes them: for each file one line of JSON, then its bytes
 *   the manifest, one line of JSON
 *   the last line: the offset of the manifest and the SHA-256 of all bytes before the digest
 * The file is written sequentially, so it can be piped. A truncated file has no last line.
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
