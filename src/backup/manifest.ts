/** A later format has another number; a release reads its own and older ones. */
export const backupFormat = 1

export type SavedTable = {
  name: string
  columns: string[]
  rows: number
  /** In the file, compressed. */
  bytes: number
  /** Of its rows as COPY writes them, before they are compressed. */
  sha256: string
}

export type SavedSequence = { name: string; last_value: number; is_called: boolean }

/** What a backup holds, in the order of the file: a table comes after those that it refers to. */
export type Manifest = {
  format: number
  /** A UUID. A database that came out of the backup tells it. */
  id: string
  release: string
  taken_at: string
  server_version: string
  migrations: { name: string; checksum: string }[]
  tables: SavedTable[]
  sequences: SavedSequence[]
}

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
