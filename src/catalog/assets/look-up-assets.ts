import type { AssetKind } from '../../model/assets/asset-types.ts'
import type { MediaInputItem } from '../../model/fields/media.schema.ts'
import { type FoundAssets, namedHash } from '../../model/product/resolve-media.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Undefined if no item names an asset. With `forUpdate`, no one can delete the assets until the transaction ends. */
export async function lookUpAssets(
  database: Queryable,
  projectId: number,
  lists: readonly (readonly MediaInputItem[] | undefined)[],
  forUpdate: boolean,
  /** Assets that are about to exist. */
  pending: ReadonlyMap<string, AssetKind> = new Map(),
): Promise<FoundAssets | undefined> {
  const hashes = new Set(lists.flatMap((media = []) => media.flatMap((item) => namedHash(item) ?? [])))
  if (hashes.size === 0) return undefined
  const [row] = await database.query(sql<{ media_key: string; kinds: Record<string, AssetKind> }>`
    select media_key, (
      select coalesce(json_object_agg(hash, kind), '{}') from (
        select hash, kind from assets
        where project_id = ${projectId} and hash = any(${[...hashes]}::text[]) and state <> 'erased'
        order by hash ${forUpdate ? sql`for key share` : sql``}
      ) as asset
    ) as kinds
    from projects where id = ${projectId}`)
  return row && { mediaKey: row.media_key, kinds: new Map([...pending, ...Object.entries(row.kinds)]) }
}
