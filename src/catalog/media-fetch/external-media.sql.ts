import type { MediaItem } from '../../model/fields/media.schema.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { fileLimits } from '../limits.ts'

export type MediaProduct = { id: number; sku: string; media: MediaItem[] }

// An uploaded file is stored as a path, and any other URL has a scheme.
const hasExternal = sql`jsonb_path_exists(media, '$[*].url ? (@ starts with "https:")')`

/** The next products with media on other servers, by ID. */
export function listExternalMedia(
  database: Queryable,
  projectId: number,
  afterId: number,
): Promise<MediaProduct[]> {
  return database.query(sql<MediaProduct>`
    select id, sku, media from products where project_id = ${projectId} and id > ${afterId} and ${hasExternal}
    order by id limit ${fileLimits.fetchedProducts}`)
}

/** The same products as they are now. */
export function listMedia(
  database: Queryable,
  projectId: number,
  ids: readonly number[],
): Promise<MediaProduct[]> {
  return database.query(sql<MediaProduct>`
    select id, sku, media from products where project_id = ${projectId} and id = any(${ids}::bigint[]) and ${hasExternal}
    order by id`)
}
