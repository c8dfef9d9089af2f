import type { AttributeDefinitionPatch } from '../../model/attributes/attribute-definition.schema.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { BodyError } from '../../platform/http/problems.ts'
import { findCategories } from '../categories/look-up-categories.sql.ts'

type Placed = Pick<AttributeDefinitionPatch, 'required_for'> & { pointer: string }

/** Errors for categories in definitions that the project does not have. Locks the others against deletion. */
export async function findUnknownCategories(
  tx: Transaction,
  projectId: number,
  placed: readonly Placed[],
): Promise<BodyError[]> {
  const named = placed.flatMap(({ pointer, required_for }) =>
    (required_for?.categories ?? []).map((id, index) => ({
      id,
      pointer: `${pointer}/required_for/categories/${index}`,
    })),
  )
  if (named.length === 0) return []
  const ids = new Set(named.map(({ id }) => id))
  const found = await findCategories(tx, projectId, [...ids], [], true)
  const known = new Set(found.map(({ id }) => id))
  return named
    .filter(({ id }) => !known.has(id))
    .map(({ id, pointer }) => ({
      pointer,
      code: 'unknown_category',
      message: `there is no category ${id} in this project`,
    }))
}
