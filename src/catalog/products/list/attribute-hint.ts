import type { Ruleset } from '../../../model/quality/ruleset.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { findNearest } from '../../../platform/http/request/suggest-names.ts'
import type { ProductQuery } from '../product-list.schema.ts'

/** The newest products show which names a project uses. Few enough to read for a list without results. */
const sampledProducts = 500

/** Suggests attribute names for a list without results. The text is ASCII, because it is sent in a header. */
export async function attributeHint(
  database: Queryable,
  projectId: number,
  { definitions }: Pick<Ruleset, 'definitions'>,
  filters: NonNullable<ProductQuery['attributes']>,
): Promise<string | undefined> {
  const used = await findNewestNames(database, projectId)
  const known = new Set([...definitions.map(({ name }) => name), ...used])
  const hints = [...new Set(filters.map(({ key }) => key))].flatMap((key) => {
    const meant = known.has(key) ? undefined : findNearest(key, [...known])
    return meant === undefined ? [] : `no attribute ${quoted(key)}; did you mean ${quoted(meant)}?`
  })
  return hints.length === 0 ? undefined : hints.slice(0, 5).join(' ')
}

async function findNewestNames(database: Queryable, projectId: number): Promise<string[]> {
  const rows = await database.query(sql<{ name: string }>`
    select distinct attribute.name from (
      select attributes from products where project_id = ${projectId} order by id desc limit ${sampledProducts}::int
    ) as product, jsonb_object_keys(product.attributes) as attribute (name) limit 1000`)
  return rows.map(({ name }) => name)
}

/** Headers allow only ASCII. */
function quoted(name: string): string {
  return JSON.stringify(name).replace(
    /[^\x20-\x7e]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
