import { markUnrecordedChange } from '../../model/freshness/unrecorded-change.sql.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

/*
 * The demo is created by the normal operations, which write the current time. These statements backdate the rows.
 * Rows from the last minute have not been backdated yet.
 */

/** A time in the working hours of that day. */
export const timeOnDay = (daysAgo: number | Sql, key: Sql) =>
  sql`date_trunc('day', now(), 'UTC') - ${daysAgo} * interval '1 day' + interval '7 hours' + ${key} * 7919 % 32000 * interval '1 second'`

/** Backdates all product changes since the last call, each product to its own day. */
export async function moveChanges(
  tx: Queryable,
  projectId: number,
  written: readonly { sku: string; days_ago: number }[],
): Promise<void> {
  const days = sql`
    unnest(${written.map(({ sku }) => sku)}::text[], ${written.map(({ days_ago }) => days_ago)}::int[]) as day (sku, ago)
    join products as product on product.project_id = ${projectId} and product.sku = day.sku`
  const time = timeOnDay(sql`day.ago`, sql`product.id`)
  await tx.query(sql`
    update product_history as change set changed_at = ${time} from ${days}
    where change.project_id = ${projectId} and product_id = product.id and changed_at >= now() - interval '1 minute'`)
  await tx.query(sql`
    update inventory_adjustments as adjustment set created_at = ${time} from ${days}
    where adjustment.project_id = ${projectId} and product_id = product.id
      and adjustment.created_at >= now() - interval '1 minute'`)
}

/** Most products were created in the first days, fifty per day; the others, by ID, until the day before yesterday. */
export async function moveCreations(tx: Queryable, projectId: number): Promise<void> {
  await tx.query(sql`
    update product_history as change
    set changed_at = date_trunc('day', now(), 'UTC') + case
      when place < 700 then (place / 50 - 118) * interval '1 day' + interval '7 hours' + place % 50 * interval '10 minutes'
      else -104 * interval '1 day' + (place - 700) * interval '8 hours 11 minutes' end
    from (
      select id, row_number() over (order by id) - 1 as place from products where project_id = ${projectId}
    ) as product
    where project_id = ${projectId} and product_id = id and version = 1`)
}

export async function moveProposal(
  tx: Queryable,
  projectId: number,
  id: number,
  days: { proposed: number; decided: number },
): Promise<void> {
  const [proposed, decided] = [days.proposed, days.decided].map((daysAgo) => timeOnDay(daysAgo, sql`id`))
  await tx.query(sql`
    update proposals
    set created_at = ${proposed}, expires_at = ${proposed} + (expires_at - created_at),
        applied_at = case when applied_at is not null then ${decided} end,
        closed_at = case when closed_at is not null then ${decided} end
    where project_id = ${projectId} and id = ${id}`)
}

/** Products and their provenance get the times of their history, categories that of their first product. */
export async function alignWithHistory(tx: Queryable, projectId: number): Promise<void> {
  await markUnrecordedChange(tx, [projectId])
  const at = sql`to_jsonb(to_char(change.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`
  await tx.query(sql`
    update product_history as change set provenance = (
      select jsonb_object_agg(field, jsonb_set(entry, '{at}', ${at}))
      from jsonb_each(change.provenance) as own (field, entry))
    where project_id = ${projectId} and provenance is not null`)
  await tx.query(sql`
    update products as product
    set created_at = first_change.changed_at, updated_at = last_change.changed_at, quality_computed_at = last_change.changed_at,
        inventory_updated_at = greatest(first_change.changed_at, (
          select max(created_at) from inventory_adjustments as adjustment
          where adjustment.project_id = product.project_id and adjustment.product_id = product.id)),
        provenance = coalesce((
          select jsonb_object_agg(field, jsonb_set(entry, '{at}', ${at}))
          from jsonb_each(product.provenance) as own (field, entry)
          join product_history as change on change.project_id = product.project_id and change.product_id = product.id
            and change.version = (entry ->> 'version')::int), '{}')
    from product_history as first_change, product_history as last_change
    where product.project_id = ${projectId}
      and first_change.project_id = product.project_id and first_change.product_id = product.id and first_change.version = 1
      and last_change.project_id = product.project_id and last_change.product_id = product.id
      and last_change.version = product.version`)
  await tx.query(sql`
    update categories as category set created_at = made.at, updated_at = made.at
    from (
      select coalesce(min(product.created_at), date_trunc('day', now(), 'UTC') - interval '118 days') as at, category.id
      from categories as category
      left join product_categories as link on link.project_id = category.project_id and link.category_id = category.id
      left join products as product on product.project_id = link.project_id and product.id = link.product_id
      where category.project_id = ${projectId} group by category.id
    ) as made
    where category.project_id = ${projectId} and category.id = made.id`)
}

/** Labels moved to a version the day after it was added. */
export async function alignLabelMoves(tx: Queryable, projectId: number): Promise<void> {
  await tx.query(sql`
    update prompt_label_moves as move set moved_at = version.created_at + interval '1 day' from prompt_versions as version
    where move.project_id = ${projectId} and version.project_id = move.project_id and version.prompt_id = move.prompt_id
      and concat_ws('.', major, minor, patch) = move.to_version`)
  await tx.query(sql`
    update prompt_labels as label set updated_at = version.created_at + interval '1 day' from prompt_versions as version
    where label.project_id = ${projectId} and version.project_id = label.project_id and version.prompt_id = label.prompt_id
      and (version.major, version.minor, version.patch) = (label.major, label.minor, label.patch)`)
  await tx.query(sql`
    update prompts as prompt
    set created_at = (select min(created_at) from prompt_versions where project_id = prompt.project_id and prompt_id = prompt.id),
        updated_at = greatest(
          (select max(created_at) from prompt_versions where project_id = prompt.project_id and prompt_id = prompt.id),
          (select max(moved_at) from prompt_label_moves where project_id = prompt.project_id and prompt_id = prompt.id))
    where project_id = ${projectId}`)
}
