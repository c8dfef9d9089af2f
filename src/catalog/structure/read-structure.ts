import { structureLimits } from '../../model/limits/products.ts'
import type { Inventory } from '../../model/product/product.schema.ts'
import type { ProductRow, Structure } from '../../model/product/product-row.ts'
import { composedTypes } from '../../model/structure/check-structure.ts'
import { linkKinds } from '../../model/structure/link-kinds.ts'
import type { Reference, Variants } from '../../model/structure/structure.schema.ts'
import type { ChosenView } from '../../model/views/views.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type Part, stockOfBundle, stockOfMembers, stockOfVariants } from './computed-stock.ts'
import { findReferencedStock, findVariantsOf, type ReferencedRow, type VariantsRow } from './structure.sql.ts'

/** Most products have none, and cost no query. */
function hasStructure({ product_type, parent, components, links }: ProductRow): boolean {
  return (
    product_type === 'configurable' ||
    parent !== null ||
    components.length > 0 ||
    Object.keys(links).length > 0
  )
}

/** The structure of products that have one, by ID. Variant prices come from the chosen view, if any. */
export async function readStructures(
  database: Queryable,
  rows: readonly ProductRow[],
  chosen?: ChosenView,
): Promise<Map<number, Structure>> {
  const structured = rows.filter(hasStructure)
  const [first] = structured
  if (first === undefined) return new Map()
  const find = await findNamed(database, first.project, structured)
  const configurable = structured.filter(
    ({ product_type, has_variants = true }) => product_type === 'configurable' && has_variants,
  )
  const found =
    configurable.length === 0 ? [] : await findVariantsOf(database, first.project, configurable, chosen)
  const variantsById = new Map(found.map((variants) => [variants.id, variants]))
  return new Map(structured.map((row) => [row.id, structureOf(row, find, variantsById.get(row.id))]))
}

type FindNamed = (reference: Reference) => ReferencedRow | undefined

/** Finds a product by ID, or else by SKU, because a product may have been replaced or created since. */
async function findNamed(
  database: Queryable,
  projectId: number,
  rows: readonly ProductRow[],
): Promise<FindNamed> {
  const references = rows.flatMap(({ parent, components, links }) => [
    ...(parent ? [parent] : []),
    ...components,
    ...linkKinds.flatMap((kind) => links[kind] ?? []),
  ])
  if (references.length === 0) return () => undefined
  const ids = [...new Set(references.flatMap(({ id }) => id ?? []))]
  const skus = [...new Set(references.map(({ sku }) => sku))]
  const found = await findReferencedStock(database, projectId, ids, skus)
  const byId = new Map(found.map((product) => [product.id, product]))
  const bySku = new Map(found.map((product) => [product.sku, product]))
  return ({ id, sku }) => byId.get(id ?? 0) ?? bySku.get(sku)
}

function structureOf(row: ProductRow, find: FindNamed, variants: VariantsRow | undefined): Structure {
  const current = (reference: Reference): Reference => {
    const found = find(reference)
    return found === undefined ? { id: null, sku: reference.sku } : { id: found.id, sku: found.sku }
  }
  const parts = row.components.map((component) => ({ ...component, product: find(component) }))
  return {
    parent: row.parent && current(row.parent),
    components: row.components.map((component) => ({ ...component, ...current(component) })),
    links: Object.fromEntries(
      linkKinds.flatMap((kind) => (row.links[kind] ? [[kind, row.links[kind].map(current)]] : [])),
    ),
    variants: row.product_type === 'configurable' ? describeVariants(variants) : null,
    inventory: inventoryOf(row, parts, variants),
  }
}

function describeVariants(variants: VariantsRow | undefined): Variants {
  const { count = 0, in_stock = 0, axes, min = null, max = null } = variants ?? {}
  const values = Object.entries((count > 0 && axes) || {}).map(([axis, list]) => [axis, sortedValues(list)])
  return { count, in_stock, axes: Object.fromEntries(values), price: { min, max } }
}

/** Distinct values: sorted text, then numbers. Ignores other values, which variants of an older release may have. */
function sortedValues(values: readonly unknown[]): (string | number | boolean)[] {
  const distinct = [...new Set(values)]
  const texts = distinct.filter(
    (value) => typeof value === 'string' && value.length <= structureLimits.axisValueCharacters,
  )
  const numbers = distinct.filter((value) => typeof value === 'number')
  const others = distinct.filter((value) => typeof value === 'boolean')
  return [...(texts as string[]).sort(), ...numbers.sort((a, b) => a - b), ...others.sort()]
}

function inventoryOf(
  row: ProductRow,
  parts: readonly Part[],
  variants: VariantsRow | undefined,
): Inventory | undefined {
  if (variants !== undefined) return stockOfVariants(row, variants)
  if (parts.length === 0 || !composedTypes.includes(row.product_type)) return undefined
  return row.product_type === 'grouped' ? stockOfMembers(row, parts) : stockOfBundle(row, parts)
}
