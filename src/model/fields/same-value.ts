import { isDeepStrictEqual } from 'node:util'
import { keyOf, type Links, linkKinds, type Reference } from '../structure/structure.schema.ts'
import type { FieldValues } from './product-fields.ts'

/** Whether a field has the same value twice. A category or product is the same whatever it is called by now. */
export function isSameValue(field: string, one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (field === 'components' || field.startsWith('links.')) return isSameList(listOf(one), listOf(other))
  if (field === 'links') {
    const [before, after] = [one, other] as [Links, Links]
    return linkKinds.every((kind) => isSameList(before[kind] ?? [], after[kind] ?? []))
  }
  return isDeepStrictEqual(comparable(field, one), comparable(field, other))
}

function listOf(value: unknown): Reference[] {
  return (value ?? []) as Reference[]
}

function comparable(field: string, value: unknown): unknown {
  if (field === 'categories') return ((value ?? []) as FieldValues['categories']).map(({ id }) => id)
  if (field === 'parent') return value && keyOf(value as Reference)
  return value
}

/** A name that was written before its product came, and is looked up at each read, says the same as one with the id. */
function isSameList<Item extends Reference>(before: readonly Item[], after: readonly Item[]): boolean {
  const isSameItem = ({ id, sku, ...rest }: Item, other: Item | undefined) => {
    if (other === undefined) return false
    const { id: otherId, sku: otherSku, ...otherRest } = other
    const isNamed = id === null || otherId === null ? sku === otherSku : id === otherId
    return isNamed && isDeepStrictEqual(rest, otherRest)
  }
  return before.length === after.length && before.every((item, index) => isSameItem(item, after[index]))
}
