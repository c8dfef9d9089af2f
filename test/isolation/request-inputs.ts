import type { Operation, Schema } from '../requests/operations.ts'

/** An input of a request: a parameter, a header, or a body field by its pointer. */
export type RequestInput = { operation: Operation; where: string; schema: Schema }

export function inputsOf(operation: Operation): RequestInput[] {
  const { params, query, headers, bodies, path } = operation
  const segments = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const inputs = [
    ...segments.map((name) => ({ where: `path ${name}`, schema: params[name] ?? {} })),
    ...Object.entries(query).map(([name, schema]) => ({ where: `query ${name}`, schema })),
    ...headers.map((name) => ({ where: `header ${name}`, schema: {} })),
    ...fieldsOf(bodies['application/json'] ?? {}, ''),
  ]
  return inputs.map((input) => ({ ...input, operation }))
}

/** Each branch of a choice is an input. The lines of a push count as one body. */
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

const referenceNames =
  /(^|[ /_])(ids?|skus?|key|match|reference|parent|projects?|products?|categor(y|ies)|prompts?|proposals?|tokens?|users?|views?|component|filter|value|into|linked_to)(__\w+)?(\/\*)?$/i

/** Whether an input can refer to an object: path parameters, integers in the range of ids, and typical names. */
export function looksLikeReference({
  where,
  schema: { type, minimum, maximum, items },
}: RequestInput): boolean {
  const isId = (one: Pick<Schema, 'minimum' | 'maximum'> = {}) =>
    one.minimum === 1 && one.maximum === Number.MAX_SAFE_INTEGER
  const isContainer = type === 'object' || (type === 'array' && where.startsWith('body'))
  if (isContainer) return false
  return (
    where.startsWith('path ') ||
    isId({ minimum, maximum } as Schema) ||
    isId(items) ||
    referenceNames.test(where.replace('-', '_'))
  )
}
