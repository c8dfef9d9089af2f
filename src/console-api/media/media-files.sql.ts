import { type AssetRow, assetColumns, assetsWithKey } from '../../catalog/assets/asset.sql.ts'
import { assetLimits } from '../../model/limits/assets.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import type { FileFilter, FileUses } from './media-files.schema.ts'

type UseCounts = { shown: number; undescribed: number; named: number }

/** The media items of `product` that show the file. An asset is stored by its path, which contains its hash. */
const itemsOf = (hash: Sql) => sql`
  jsonb_array_elements(product.media) as item where item->>'url' like '/media/%/' || ${hash} || '/%'`
const isUndescribed = sql`coalesce(item->>'alt', '') = ''`
const uses = sql`asset_uses as use join products as product
  on product.project_id = use.project_id and product.id = use.product_id`

const conditions: Record<FileFilter, Sql> = {
  unused: sql`not exists (
    select from asset_uses as use where use.project_id = asset.project_id and use.hash = asset.hash)`,
  too_small: sql`asset.kind = 'image' and greatest(asset.width, asset.height) < ${assetLimits.smallPixels}`,
  undescribed: sql`asset.kind = 'image' and exists (
    select from ${uses} where use.project_id = asset.project_id and use.hash = asset.hash
      and exists (select from ${itemsOf(sql`asset.hash`)} and ${isUndescribed}))`,
}

/** Newest first. */
export function listFiles(
  database: Queryable,
  projectId: number,
  only: FileFilter | undefined,
  page: PageRequest,
): Promise<Page<AssetRow & UseCounts>> {
  return selectPage(database, {
    columns: assetColumns,
    from: assetsWithKey,
    where: sql`asset.project_id = ${projectId} and asset.state <> 'erased'
      ${only === undefined ? sql`` : sql`and ${conditions[only]}`}`,
    orderBy: sql`asset.created_at desc, asset.hash desc`,
    page,
    isBroad: true,
    extra: {
      columns: sql`counts.*`,
      join: sql`cross join lateral (
        select count(*) filter (where items > 0) as shown, count(*) filter (where bare > 0) as undescribed, count(*) as named
        from (
          select shows.* from ${uses} cross join lateral (
            select count(*) as items, count(*) filter (where ${isUndescribed}) as bare from ${itemsOf(sql`found.hash`)}
          ) as shows
          where use.project_id = ${projectId} and use.hash = found.hash limit ${assetLimits.countedUses}
        ) as counted
      ) as counts`,
    },
  })
}

/** The first products that show the file. */
export async function listUses(database: Queryable, projectId: number, hash: string): Promise<FileUses> {
  const products = await database.query(sql<FileUses['products'][number]>`
    select product.id, product.sku, product.name, shows.alt from ${uses}
    cross join lateral (
      select min(nullif(item->>'alt', '')) as alt, count(*) as items from ${itemsOf(sql`${hash}::text`)}
    ) as shows
    where use.project_id = ${projectId} and use.hash = ${hash} and shows.items > 0
    order by use.product_id limit ${assetLimits.listedUses + 1}`)
  return {
    products: products.slice(0, assetLimits.listedUses),
    has_more: products.length > assetLimits.listedUses,
  }
}
