import { markUnrecordedChange } from '../../model/freshness/unrecorded-change.sql.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

/** A product whose pictures are not loaded yet, and the media key of its project. */
export type Waiting = { id: number; media: { url: string }[]; media_key: string }

export function listProductsWithAddresses(
  database: Queryable,
  projectId: number,
  limit: number,
): Promise<Waiting[]> {
  return database.query(sql<Waiting>`
    select product.id, product.media, media_key from products as product join projects as project on project.id = project_id
    where project_id = ${projectId} and product.media::text ~ 'https://images[.]example/[^"]+-[12][.]jpg'
    order by product.id limit ${limit}`)
}

/** A stored picture: its address in the demo data, its hash, and its path. */
export type LoadedPicture = { url: string; hash: string; path: string }

/**
 * Replaces addresses with pictures in products and in their history, as if the products had been created with them. New versions
 * would have the date of the start, and would change the version numbers in the examples of the documentation.
 */
export async function showPictures(
  tx: Transaction,
  projectId: number,
  ids: readonly number[],
  pictures: readonly LoadedPicture[],
): Promise<void> {
  const loaded = sql`unnest(${pictures.map(({ url }) => url)}::text[], ${pictures.map(({ path }) => path)}::text[])`
  const shown = (media: Sql) => sql`(
    select jsonb_agg(case when path is null then item else jsonb_set(item, '{url}', to_jsonb(path)) end order by place)
    from jsonb_array_elements(${media}) with ordinality as own (item, place)
    left join ${loaded} as picture (url, path) on picture.url = item ->> 'url')`
  const hasMedia = (side: Sql) =>
    sql`jsonb_typeof(${side} -> 'media') = 'array' and ${side} -> 'media' <> '[]'`
  await markUnrecordedChange(tx, [projectId])
  await tx.query(sql`
    update products set media = ${shown(sql`media`)}
    where project_id = ${projectId} and id = any(${ids}::bigint[]) and media <> '[]'`)
  for (const side of [sql`before`, sql`after`])
    await tx.query(sql`
      update product_history set ${side} = jsonb_set(${side}, '{media}', ${shown(sql`${side} -> 'media'`)})
      where project_id = ${projectId} and product_id = any(${ids}::bigint[]) and ${hasMedia(side)}`)
  await tx.query(sql`
    insert into asset_uses (project_id, hash, product_id)
    select product.project_id, hash, product.id
    from products as product
    join unnest(${pictures.map(({ hash }) => hash)}::text[], ${pictures.map(({ path }) => path)}::text[])
      as picture (hash, path) on product.media @> jsonb_build_array(jsonb_build_object('url', path))
    where product.project_id = ${projectId} and product.id = any(${ids}::bigint[])
    order by hash, product.id on conflict do nothing`)
}
