import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { StoredNameSchema } from '../../platform/http/request/name.schema.ts'
import { categoryLimits } from '../limits/categories.ts'

export const CategoryId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Path = Type.Array(StoredNameSchema, { minItems: 1, maxItems: categoryLimits.levels })

/** A product names a category by ID, name or path. A missing path is created. */
export const CategoryReferenceSchema = Type.Union(
  [
    CategoryId,
    Type.Object({ id: CategoryId, name: Type.Optional(StoredNameSchema) }, closed),
    Type.Object({ name: StoredNameSchema }, closed),
    Type.Object({ path: Path, name: Type.Optional(StoredNameSchema) }, closed),
  ],
  {
    description: 'a category ID, {"id": …}, {"name": …} or {"path": [1 to 10 names from the root]}',
  },
)

/** A category in the response of a product. */
export type NamedCategory = { id: number; name: string }

export type CategoryReference =
  | number
  | { id: number; name?: string }
  | { name: string }
  | { path: string[]; name?: string }

export function categoryIdOf(reference: CategoryReference): number | undefined {
  if (typeof reference === 'number') return reference
  return 'id' in reference ? reference.id : undefined
}

export function categoryPathOf(reference: CategoryReference): string[] | undefined {
  return typeof reference === 'object' && 'path' in reference ? reference.path : undefined
}

/** The name, if the reference has no ID and no path. */
export function categoryNameOf(reference: CategoryReference): string | undefined {
  if (typeof reference === 'number' || 'path' in reference || 'id' in reference) return undefined
  return 'name' in reference ? reference.name : undefined
}
