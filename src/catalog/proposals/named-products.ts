import { productLimits } from '../../model/limits/products.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { plannedAnew, sql } from '../../platform/database/sql.ts'
import type { BodyFault } from '../../platform/http/problems.ts'
import type { PushedLine } from '../batches/read-batches.ts'
import { duplicateSku } from '../products/create-product.ts'
import { pushedProduct } from './line-patch.ts'
import { findChanges, type OpenLine } from './proposal-line.sql.ts'

type NamedProduct = { id: number; sku: string; version: number; category_ids: number[] }

type NamingLine = Omit<OpenLine, 'state'>

/** The products of some lines as they are now, and who has the SKUs that lines want to give them. */
export type NamedProducts = { byId: Map<number, NamedProduct>; takenSkus: Map<string, number> }

/** Found by their ids, because a SKU may be another by now. Held, nobody else changes them until the transaction ends. */
export async function findNamedProducts(
  tx: Transaction,
  projectId: number,
  lines: readonly NamingLine[],
  hold: boolean,
): Promise<NamedProducts> {
  const ids = lines.flatMap(({ product_id }) => product_id ?? [])
  const rows =
    ids.length === 0
      ? []
      : await tx.query(
          plannedAnew(sql<NamedProduct>`
            select id, sku, version, to_json(category_ids) as category_ids from products
            where project_id = ${projectId} and id = any(${ids}::bigint[])
            order by id ${hold ? sql`for no key update` : sql``}`),
        )
  return {
    byId: new Map(rows.map((row) => [row.id, row])),
    takenSkus: await findHolders(tx, projectId, lines.flatMap(wantedSku)),
  }
}

function wantedSku({ outcome, patch, changes }: NamingLine): string[] {
  const sku = patch === null ? changes?.['sku']?.after : patch.sku
  return outcome !== 'created' && typeof sku === 'string' ? [sku] : []
}

/** Who has some SKUs. */
export async function findHolders(
  tx: Queryable,
  projectId: number,
  skus: string[],
): Promise<Map<string, number>> {
  if (skus.length === 0) return new Map()
  const rows = await tx.query(
    plannedAnew(sql<{ id: number; sku: string }>`
      select id, sku from products where project_id = ${projectId} and sku = any(${skus}::text[])`),
  )
  return new Map(rows.map(({ id, sku }) => [sku, id]))
}

/** A line as a push would say it, under the SKU that its product has now; or what stands in its way. */
export function pushedLine(line: NamingLine, { byId, takenSkus }: NamedProducts): PushedLine {
  const { product_id } = line
  if (product_id === null) return said(line, line.sku ?? '', [])
  const product = byId.get(product_id)
  if (product === undefined)
    return faulty(line, {
      pointer: '',
      code: 'not_found',
      message: `there is no product ${product_id} any more`,
    })
  const [sku] = wantedSku(line)
  const holder = sku === undefined ? undefined : takenSkus.get(sku)
  if (sku !== undefined && holder !== undefined && holder !== product_id)
    return faulty(line, {
      pointer: '/sku',
      code: 'duplicate_sku',
      message: duplicateSku(sku, holder).message,
    })
  // Of several lines that want a SKU the first has it.
  if (sku !== undefined) takenSkus.set(sku, product_id)
  return said(line, product.sku, product.category_ids)
}

function said(line: NamingLine, sku: string, categoryIds: readonly number[]): PushedLine {
  const product = pushedProduct(line, sku, categoryIds)
  if ((product.categories?.length ?? 0) > productLimits.categories) return faulty(line, tooManyCategories)
  return { line: line.line, sku, product, bytes: line.bytes }
}

const tooManyCategories = {
  pointer: '/categories',
  code: 'too_many',
  message: `must not have more than ${productLimits.categories} items`,
}

function faulty({ line, sku }: NamingLine, fault: BodyFault): PushedLine {
  return { line, sku, faults: [fault] }
}

/** The lines, with what their fields were where somebody may have changed the product since: its version tells. */
export async function loadChanges(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  lines: OpenLine[],
  { byId }: NamedProducts,
): Promise<OpenLine[]> {
  const times = new Map<number | null, number>()
  for (const { product_id } of lines) times.set(product_id, (times.get(product_id) ?? 0) + 1)
  const isUntouched = ({ outcome, product_id, base_version }: OpenLine) =>
    outcome === 'created' ||
    (product_id !== null && times.get(product_id) === 1 && byId.get(product_id)?.version === base_version)
  const numbers = lines.flatMap((line) => (line.changes === null && !isUntouched(line) ? line.line : []))
  if (numbers.length === 0) return lines
  const changes = await findChanges(tx, projectId, proposalId, numbers)
  return lines.map((line) => ({ ...line, changes: changes.get(line.line) ?? line.changes }))
}
