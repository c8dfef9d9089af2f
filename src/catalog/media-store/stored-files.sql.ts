import { assetLimits } from '../../model/limits/assets.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** An original in the store. */
export type StoredOriginal = { project_id: number; hash: string; file: string; bytes: number }

// The connection of a backup returns bigint as text, but float8 as a number. A number holds all of these values exactly.
const columns = sql`project_id::float8, hash, file, bytes::float8`

/** The number and the size of all originals. */
export async function countOriginals(database: Queryable): Promise<{ files: number; bytes: number }> {
  const [row] = await database.query(sql<{ files: number; bytes: number }>`
    select count(*)::int as files, coalesce(sum(bytes), 0)::float8 as bytes from assets where state <> 'erased'`)
  return row ?? { files: 0, bytes: 0 }
}

export async function isOriginal(
  database: Queryable,
  { project_id, hash, file, bytes }: StoredOriginal,
): Promise<boolean> {
  const rows = await database.query(sql`
    select from assets where project_id = ${project_id} and hash = ${hash} and file = ${file} and bytes = ${bytes}
      and state <> 'erased'`)
  return rows.length > 0
}

/** Randomly selected originals of all projects. */
export function sampleOriginals(database: Queryable, most: number): Promise<StoredOriginal[]> {
  return database.query(sql<StoredOriginal>`
    select ${columns} from assets where state <> 'erased' order by random() limit ${most}`)
}

/** All originals, by project and hash. */
export async function* listOriginals(database: Queryable): AsyncGenerator<StoredOriginal[]> {
  let last: Pick<StoredOriginal, 'project_id' | 'hash'> = { project_id: 0, hash: '' }
  for (;;) {
    const rows = await database.query(sql<StoredOriginal>`
      select ${columns} from assets
      where (project_id, hash) > (${last.project_id}, ${last.hash}) and state <> 'erased'
      order by project_id, hash limit ${assetLimits.visitedAssets}`)
    if (rows.length > 0) yield rows
    if (rows.length < assetLimits.visitedAssets) return
    last = rows.at(-1) as StoredOriginal
  }
}
