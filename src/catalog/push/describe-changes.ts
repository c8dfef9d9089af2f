import { isDeepStrictEqual } from 'node:util'
import type { Verdict } from './push-answer.ts'

const longestText = 200

type Sides = { before: object; after: object } | undefined

/** Each changed field before and after, made to be read: of the attributes only those that differ, long texts cut. */
export function describeChanges(sides: Sides): NonNullable<Verdict['changes']> {
  if (sides === undefined) return {}
  const before = new Map(Object.entries(sides.before))
  return Object.fromEntries(
    Object.entries(sides.after)
      // A new product has nothing before; what it has not is no change.
      .filter(([field, after]) => after !== null || (before.get(field) ?? null) !== null)
      .map(([field, after]) => [field, describeField(field, before.get(field), after)]),
  )
}

function describeField(field: string, before: unknown, after: unknown): { before: unknown; after: unknown } {
  if (field === 'parent') return { before: known(before), after: known(after) }
  if (field === 'components') return { before: listed(before), after: listed(after) }
  if (field === 'categories') return { before: categories(before), after: categories(after) }
  if (field === 'links') return { before: linked(before), after: linked(after) }
  if (!isObject(before) || !isObject(after)) return { before: shortened(before), after: shortened(after) }
  const [old, recent] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const names = [...new Set([...old.keys(), ...recent.keys()])].filter(
    (name) => !isDeepStrictEqual(old.get(name), recent.get(name)),
  )
  const side = (values: Map<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, shortened(values.get(name))]))
  return { before: side(old), after: side(recent) }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One that the push would make has no id yet. */
function categories(list: unknown): unknown {
  if (!Array.isArray(list)) return null
  return list.map(({ id, name }: { id: number; name: string }) => ({ id: id < 0 ? null : id, name }))
}

function known(reference: unknown): unknown {
  if (!isObject(reference)) return null
  const { id } = reference as { id: number | null }
  return { ...reference, id: id !== null && id < 0 ? null : id }
}

function linked(links: unknown): unknown {
  if (!isObject(links)) return null
  return Object.fromEntries(Object.entries(links).map(([kind, list]) => [kind, listed(list)]))
}

function listed(list: unknown): unknown {
  return Array.isArray(list) ? list.map(known) : null
}

function shortened(value: unknown): unknown {
  if (value === undefined) return null
  if (Array.isArray(value)) return value.map(shortened)
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]))
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'string' || value.length <= longestText) return value
  return `${value.slice(0, longestText).toWellFormed()}… (${value.length} characters)`
}
