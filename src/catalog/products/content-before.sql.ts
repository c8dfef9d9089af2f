import { fieldColumns, namedCategories, settingNames } from '../../model/product/product-columns.ts'
import { defaultContent } from '../../model/product/product-content.ts'
import { join, raw, type Sql, sql } from '../../platform/database/sql.ts'

const literal = (text: string) => raw(`'${text}'`)
const settings = settingNames.map((name) => sql`${literal(name)}, product.${raw(name)}`)
const fields = fieldColumns.map(
  ({ field, name, isPlain }) => sql`${literal(field)}, ${isPlain ? raw(`product.${name}`) : namedCategories}`,
)
const presentContent = sql`jsonb_build_object(${join(fields)}, 'inventory', jsonb_build_object(${join(settings)}))`

const rareNames = fieldColumns.filter(({ isRare }) => isRare).map(({ field }) => literal(field))
/** A rare field that has its default is left out, as in the first versions that older releases recorded. */
const isRecorded = sql`not (field.key in (${join(rareNames)}) and field.value in ('null', '[]', '{}'))`

/**
 * The content that a product had before some of its changes, called `later`: those after a version, or after a time. It is what the
 * product has now, and over it each field that they changed as the first of them found it. Every change of content is in the history,
 * so nothing else is needed. A product may have many large changes, so only the version of each field is collected at first.
 */
export function contentBefore(projectId: Sql, productId: Sql, areLater: Sql): Sql {
  return sql`(
    select jsonb_object_agg(field.key, field.value)
    from products as product
    cross join lateral jsonb_each(${presentContent} || coalesce(case when product.version > 1 then (
      select jsonb_object_agg(changed.field, first.before -> changed.field)
      from (
        select name as field, min(later.version) as version
        from product_history as later, jsonb_object_keys(later.before) as name
        where later.project_id = product.project_id and later.product_id = product.id and ${areLater}
        group by name
      ) as changed
      join product_history as first on first.project_id = product.project_id and first.product_id = product.id
        and first.version = changed.version
    ) end, '{}')) as field
    where product.project_id = ${projectId} and product.id = ${productId} and ${isRecorded})`
}

/** What a change of the history made of its fields, without stock levels. Of the first version that is the whole content, which only older releases recorded. */
export function fieldsAfter(change: string): Sql {
  return sql`coalesce(${raw(`${change}.after`)}, ${firstContent(change)})`
}

/**
 * The same as histories and events show it: a first version has every field, also those with their defaults, and the first quantity. One
 * that an older release recorded is shown as it was recorded, because clients have read it in that form.
 */
export function shownAfter(change: string): Sql {
  return sql`coalesce(${raw(`${change}.after`)}, (
    select ${JSON.stringify(defaultContent)}::jsonb || first.content || jsonb_build_object('inventory',
      first.content -> 'inventory' || jsonb_build_object('quantity', ${firstQuantity(change)}))
    from (select ${firstContent(change)} as content) as first))`
}

function firstContent(change: string): Sql {
  return contentBefore(raw(`${change}.project_id`), raw(`${change}.product_id`), sql`later.version > 1`)
}

/** The quantity of a new product: what the first adjustment found, or what there is where none followed. */
function firstQuantity(change: string): Sql {
  const [projectId, productId] = [raw(`${change}.project_id`), raw(`${change}.product_id`)]
  return sql`coalesce((
    select quantity - delta from inventory_adjustments as adjustment
    where adjustment.project_id = ${projectId} and adjustment.product_id = ${productId} order by adjustment.id limit 1
  ), (select quantity from products as product where product.project_id = ${projectId} and product.id = ${productId}))`
}
