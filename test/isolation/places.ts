import type { Operation, Schema } from '../requests/operations.ts'

/** A place of a request where something is named: a parameter, a header, or a field of the body by its pointer. */
export type Place = { operation: Operation; where: string; schema: Schema }

export function placesOf(operation: Operation): Place[] {
  const { params, query, headers, bodies, path } = operation
  const segments = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const places = [
    ...segments.map((name) => ({ where: `path ${name}`, schema: params[name] ?? {} })),
    ...Object.entries(query).map(([name, schema]) => ({ where: `query ${name}`, schema })),
    ...headers.map((name) => ({ where: `header ${name}`, schema: {} })),
    ...fieldsOf(bodies['application/json'] ?? {}, ''),
  ]
  return places.map((place) => ({ ...place, operation }))
}

/** The branches of a choice are places of their own; the lines of a push are told as one body. */
function fieldsOf(schema: Schema, pointer: string): { where: string; schema: Schema }[] {
  const { properties = {}, items, anyOf = [], additionalProperties } = schema
  const itemPointer = pointer === '' ? '' : `${pointer}/*`
  return [
    ...(pointer === '' ? [] : [{ where: `body ${pointer}`, schema }]),
    ...Object.entries(properties).flatMap(([name, property]) => fieldsOf(property, `${pointer}/${name}`)),
    ...(items === undefined ? [] : fieldsOf(items, itemPointer)),
    ...anyOf.flatMap((branch) => fieldsOf(branch, pointer)),
    ...(typeof additionalProperties === 'object' ? fieldsOf(additionalProperties, `${pointer}/{}`) : []),
  ]
}

const namesOfThings =
  /(^|[ /_])(ids?|skus?|key|match|reference|parent|projects?|products?|categor(y|ies)|prompts?|proposals?|tokens?|users?|views?|component|filter|value|into|linked_to)(__\w+)?(\/\*)?$/i

/** Whether a place may name a thing by its look: all of a path, every whole number that may be an id, and telling names. */
export function looksLikeReference({ where, schema: { type, minimum, maximum, items } }: Place): boolean {
  const isId = (one: Pick<Schema, 'minimum' | 'maximum'> = {}) =>
    one.minimum === 1 && one.maximum === Number.MAX_SAFE_INTEGER
  const isContainer = type === 'object' || (type === 'array' && where.startsWith('body'))
  if (isContainer) return false
  return (
    where.startsWith('path ') ||
    isId({ minimum, maximum } as Schema) ||
    isId(items) ||
    namesOfThings.test(where.replace('-', '_'))
  )
}
