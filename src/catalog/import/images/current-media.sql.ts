import type { MediaItem } from '../../../model/fields/media.schema.ts'
import { showMedia } from '../../../model/product/show-media.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** The media of the products that have one of the SKUs, by SKU. */
export async function findMedia(
  database: Queryable,
  projectId: number,
  skus: string[],
): Promise<Map<string, MediaItem[]>> {
  const rows = await database.query(sql<{ sku: string; media: MediaItem[] }>`
    select sku, media from products where project_id = ${projectId} and sku = any(${skus}::text[])`)
  return new Map(rows.map(({ sku, media }) => [sku, showMedia(media, () => '')]))
}
