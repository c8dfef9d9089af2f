import { isDeepStrictEqual } from 'node:util'
import type { NamedCategory } from '../categories/category-reference.ts'
import { type Reference, referenceKey } from '../structure/structure.schema.ts'
import { groups } from './field-paths.ts'
import { referencesByPath } from './references.ts'

type Lists = Readonly<Record<string, Reference[] | undefined>>

/** Fields that consist of product lists, with the names of the lists. */
const listsAt = new Map(
  [...groups].flatMap(([field, parts = []]) =>
    parts.some((part) => referencesByPath.has(`${field}.${part}`)) ? [[field, parts] as const] : [],
  ),
)

/** Whether two values of a field are equal. A renamed category or product is still the same. */
export function isSameValue(field: string, one: unknown, other: unknown): boolean {
  if (one === other) return true
  const named = referencesByPath.get(field)
  if (named === 'products') return isSameList(listOf(one), listOf(other))
  if (named === 'categories') return isDeepStrictEqual(idsOf(one), idsOf(other))
  if (named === 'product') return isSameProduct(one as Reference | null, other as Reference | null)
  const parts = listsAt.get(field)
  if (parts === undefined) return isDeepStrictEqual(one, other)
  const [before, after] = [one, other] as [Lists, Lists]
  return parts.every((part) => isSameList(before[part] ?? [], after[part] ?? []))
}

function listOf(value: unknown): Reference[] {
  return (value ?? []) as Reference[]
}

function idsOf(value: unknown): number[] {
  return ((value ?? []) as NamedCategory[]).map(({ id }) => id)
}

function isSameProduct(one: Reference | null, other: Reference | null): boolean {
  return (one && referenceKey(one)) === (other && referenceKey(other))
}

/** A SKU that was written before its product existed equals the reference with the ID. */
function isSameList<Item extends Reference>(before: readonly Item[], after: readonly Item[]): boolean {
  const isSameItem = ({ id, sku, ...rest }: Item, other: Item | undefined) => {
    if (other === undefined) return false
    const { id: otherId, sku: otherSku, ...otherRest } = other
    const isNamed = id === null || otherId === null ? sku === otherSku : id === otherId
    return isNamed && isDeepStrictEqual(rest, otherRest)
  }
  return before.length === after.length && before.every((item, index) => isSameItem(item, after[index]))
}
