import type { NamedCategory } from '../categories/category-reference.ts'
import type { Reference } from '../structure/structure.schema.ts'
import type { Field } from './field.ts'
import { type FieldOf, fieldEntries, fieldNames, fieldOf } from './product-fields.ts'

type Named = 'categories' | 'product' | 'products'

function namedBy(field: string, { references, kind, parts }: Field): [string, Named][] {
  // Assets are stored by their path, which never changes.
  if (references === undefined || references === 'assets') return []
  if (references === 'categories') return [[field, 'categories']]
  if (parts === undefined) return [[field, kind === 'product' ? 'product' : 'products']]
  return Object.keys(parts).map((part) => [`${field}.${part}`, 'products'])
}

/** What the value of a field or of a part refers to: categories, one product, or a list of products. */
export const referencesByPath: ReadonlyMap<string, Named> = new Map(
  fieldEntries.flatMap(([name, field]) => namedBy(name, field)),
)

/** The fields whose values a write resolves. */
type LookedUp = FieldOf<'categories' | 'media' | 'product' | 'components' | 'links'>
export const lookedUpFields = fieldNames.filter(
  (name): name is LookedUp => fieldOf(name)?.references !== undefined,
)

type Mapping<Category> = {
  category: (category: Category) => unknown
  product: (reference: Reference) => unknown
}

/** Maps every reference in a value. Null stays null. */
export function mapReferences<Category = NamedCategory>(
  field: string,
  value: unknown,
  { category, product }: Mapping<Category>,
): unknown {
  const named = referencesByPath.get(field)
  if (named === undefined || value === null) return value
  if (named === 'categories') return (value as Category[]).map(category)
  return named === 'product' ? product(value as Reference) : (value as Reference[]).map(product)
}
