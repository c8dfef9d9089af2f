import type { ReferenceInput } from '../../model/structure/structure.schema.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { violatedConstraint } from '../../platform/database/failures.ts'
import { Problem } from '../../platform/http/problems.ts'
import { lookUpProducts } from './look-up-products.ts'
import { findVariants } from './references.sql.ts'

export function isDuplicateVariant(error: unknown): boolean {
  return violatedConstraint(error) === 'one_variant_a_combination'
}

type Variant = { parent?: ReferenceInput | null; attributes: object }

/** Uses another connection, because a failed transaction accepts no statements. */
export async function explainDuplicate(
  database: Database,
  projectId: number,
  variant: Variant,
  error: unknown,
): Promise<never> {
  throw isDuplicateVariant(error) ? await duplicateVariant(database, projectId, variant) : error
}

/** Runs after the write has failed, so the other variant may have changed since. */
export async function duplicateVariant(
  database: Queryable,
  projectId: number,
  { parent, attributes }: Variant,
): Promise<Problem> {
  const find = await lookUpProducts(database, projectId, parent ? [parent] : [], false)
  const found = parent ? find(parent) : undefined
  if (found === undefined) return new Problem('duplicate_variant')
  const valueByName = new Map(Object.entries(attributes))
  const values = found.variant_axes.map((axis) => valueByName.get(axis))
  const [other] = await findVariants(database, projectId, [{ parent: found.id, values }])
  return takenVariant(found.sku, other?.id)
}

export function takenVariant(parent: string, existing: number | undefined): Problem {
  if (existing === undefined) return new Problem('duplicate_variant')
  return new Problem('duplicate_variant', {
    detail: `Product ${existing} is the variant of "${parent}" with these values; update that product, or use other values.`,
    existing_id: existing,
  })
}
