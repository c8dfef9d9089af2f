import type { FieldValues } from '../../../model/fields/field-schemas.ts'
import type { LinkKind } from '../../../model/structure/link-kinds.ts'
import type { Component, Reference } from '../../../model/structure/structure.schema.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { referencesIn } from '../../structure/look-up-products.ts'

type Structure = Pick<FieldValues, 'parent' | 'components' | 'links'>
type Sku = { sku: string }

/** A row whose references have no IDs, because they have no meaning in another project. */
export type NamedBySku<Row> = Omit<Row, keyof Structure> & {
  parent: Sku | null
  components: Omit<Component, 'id'>[]
  links: { [Kind in LinkKind]?: Sku[] }
}

/** Replaces references by the current SKUs. Rows without references need no query. */
export async function namedBySku<Row extends Structure>(
  database: Queryable,
  projectId: number,
  rows: Row[],
): Promise<NamedBySku<Row>[]> {
  const ids = rows.flatMap((row) => referencesIn(row).flatMap(({ id }) => id ?? []))
  const skus = ids.length === 0 ? new Map<number, string>() : await findSkus(database, projectId, ids)
  const named = ({ id, sku }: Reference): Sku => ({ sku: skus.get(id ?? 0) ?? sku })
  return rows.map((row) => {
    if (referencesIn(row).length === 0) return row
    const { parent, components, links } = row
    return {
      ...row,
      parent: parent && named(parent),
      components: components.map(({ id, sku, ...rest }) => ({ ...named({ id, sku }), ...rest })),
      links: Object.fromEntries(Object.entries(links).map(([kind, list]) => [kind, list.map(named)])),
    }
  })
}

async function findSkus(
  database: Queryable,
  projectId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const rows = await database.query(sql<{ id: number; sku: string }>`
    select id, sku from products where project_id = ${projectId} and id = any(${[...new Set(ids)]}::bigint[])`)
  return new Map(rows.map(({ id, sku }) => [id, sku]))
}
