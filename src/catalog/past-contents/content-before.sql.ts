import { fieldColumns, namedCategories, settingNames } from '../../model/product/product-columns.ts'
import { defaultContent } from '../../model/product/product-content.ts'
import { join, raw, type Sql, sql } from '../../platform/database/sql.ts'

const literal = (text: string) => raw(`'${text}'`)
const settings = settingNames.map((name) => sql`${literal(name)}, product.${raw(name)}`)
const fields = fieldColumns.map(
  ({ field, name, isPlain }) => sql`${literal(field)}, ${isPlain ? raw(`product.${name}`) : namedCategories}`,
)
const presentContent = sql`jsonb_build_object(${join(fields)}, 'inventory', jsonb_build_object(${join(settings)}))`

/** One field per view, as in the history. */
const presentViews = sql`case when product.views is null and product.view_offers is null then '{}'::jsonb else (
      select jsonb_object_agg('views.' || view.code, coalesce(product.views -> view.code, '{}') || coalesce(product.view_offers -> view.code, '{}'))
      from (select jsonb_object_keys(product.views) union select jsonb_object_keys(product.view_offers)) as view (code)) end`

const rareNames = fieldColumns.filter(({ isRare }) => isRare).map(({ field }) => literal(field))
/** A rare field with its default is omitted, as in first versions that older releases recorded; so is a view without values. */
const isRecorded = sql`not ((field.key in (${join(rareNames)}) or starts_with(field.key, 'views.')) and field.value in ('null', '[]', '{}'))`

/**
 * The content of a product before the changes called `later`: those after a version, or after a time. It is the current content, with
 * each changed field as the first of these changes found it. The history contains every change of content. A product can have many
 * large changes, so the query first collects only the version for each field.
 */
export function contentBefore(projectId: Sql, productId: Sql, areLater: Sql): Sql {
  return sql`(
    select jsonb_object_agg(field.key, field.value)
    from products as product
    cross join lateral jsonb_each(${presentContent} || ${presentViews} || coalesce(case when product.version > 1 then (
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

/** The changed fields after a change, without stock levels. For a first version, the entire content, which only older releases recorded. */
export function fieldsAfter(change: string): Sql {
  return sql`coalesce(${raw(`${change}.after`)}, ${firstContent(change)})`
}

/**
 * The same in the form of histories and events: a first version has every field, including defaults, and the first quantity. A first
 * version that an older release recorded is returned as recorded, because clients have read it in that form.
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

/** The quantity of a new product: the one that the first adjustment found, or the current one if there is no adjustment. */
function firstQuantity(change: string): Sql {
  const [projectId, productId] = [raw(`${change}.project_id`), raw(`${change}.product_id`)]
  return sql`coalesce((
    select quantity - delta from inventory_adjustments as adjustment
    where adjustment.project_id = ${projectId} and adjustment.product_id = ${productId} order by adjustment.id limit 1
  ), (select quantity from products as product where product.project_id = ${projectId} and product.id = ${productId}))`
}
