import { isDeepStrictEqual } from 'node:util'
import type { FieldChange } from '../../model/fields/changed-fields.ts'
import { fieldOf } from '../../model/fields/product-fields.ts'
import { mapReferences } from '../../model/fields/references.ts'
import { storedId } from '../batches/dry-run.ts'
import { writeLimits } from '../limits.ts'

/** Each changed field before and after, for people to read: only the keys that differ, and long text cut. */
export function describeChanges(
  sides: { before: object; after: object } | undefined,
): Record<string, FieldChange> {
  if (sides === undefined) return {}
  const before = new Map(Object.entries(sides.before))
  return Object.fromEntries(
    Object.entries(sides.after)
      // A new product has no values before. A field that it does not have is no change.
      .filter(([field, after]) => after !== null || (before.get(field) ?? null) !== null)
      .map(([field, after]) => [field, describeField(field, before.get(field), after)]),
  )
}

function describeField(field: string, before: unknown, after: unknown): FieldChange {
  const named = fieldOf(field)?.references
  if (named === 'categories' || named === 'products')
    return { before: describeReferences(field, before), after: describeReferences(field, after) }
  if (!isObject(before) || !isObject(after)) return { before: shorten(before), after: shorten(after) }
  const [old, recent] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const names = [...new Set([...old.keys(), ...recent.keys()])].filter(
    (name) => !isDeepStrictEqual(old.get(name), recent.get(name)),
  )
  const side = (values: Map<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, shorten(values.get(name))]))
  return { before: side(old), after: side(recent) }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function describeReferences(field: string, value: unknown = null): unknown {
  const describe = (path: string, references: unknown) =>
    mapReferences(path, references, {
      category: ({ id, name }) => ({ id: storedId(id), name }),
      product: (reference) => ({ ...reference, id: storedId(reference.id) }),
    })
  if (value === null || fieldOf(field)?.parts === undefined) return describe(field, value)
  return Object.fromEntries(
    Object.entries(value as object).map(([part, list]) => [part, describe(`${field}.${part}`, list)]),
  )
}

function shorten(value: unknown): unknown {
  if (value === undefined) return null
  if (Array.isArray(value)) return value.map(shorten)
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shorten(one)]))
  if (typeof value !== 'string' || value.length <= writeLimits.changedCharacters) return value
  return `${value.slice(0, writeLimits.changedCharacters).toWellFormed()}… (${value.length} characters)`
}
