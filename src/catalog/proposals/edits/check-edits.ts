import { type TSchema, Type } from 'typebox'
import { isRequired, type Operation } from '../../../model/fields/product-fields.ts'
import { productLimits } from '../../../model/limits/products.ts'
import { proposalLimits } from '../../../model/limits/proposals.ts'
import { WritableLineSchema } from '../../../model/product/product-input.schema.ts'
import { escapePointer } from '../../../platform/http/body/json-scan.ts'
import { compileBody } from '../../../platform/http/body/validate-body.ts'
import { closed } from '../../../platform/http/closed.ts'
import type { BodyError } from '../../../platform/http/problems.ts'
import type { Edit } from './edit.schema.ts'
import { operationsAt, type Place, placeOf, unknownFieldHint } from './edit-fields.ts'

const Text = Type.String({ minLength: 1, maxLength: proposalLimits.editTextCharacters })
const Categories = Type.Array(Type.Unknown(), { minItems: 1 })

/** What each operation takes; whether the field takes it too is asked of the field. */
const valueSchemas: Record<Exclude<Operation, 'clear'>, TSchema> = {
  set: Type.Unknown(),
  append: Text,
  prepend: Text,
  replace: Type.Object(
    { find: Text, with: Type.String({ maxLength: proposalLimits.editTextCharacters }) },
    closed,
  ),
  rename: Type.String({ minLength: 1, maxLength: productLimits.attributeNameCharacters }),
  multiply: Type.Number({ minimum: 0, maximum: proposalLimits.editNumber }),
  add: Type.Number({ minimum: -proposalLimits.editNumber, maximum: proposalLimits.editNumber }),
  add_categories: Categories,
  remove_categories: Categories,
}
const valueChecks = Object.fromEntries(
  Object.entries(valueSchemas).map(([op, value]) => [op, compileBody(Type.Object({ value }))]),
)
const checkProduct = compileBody(WritableLineSchema)

/** All faults of edits that have the shape of EditsSchema. */
export function checkEdits(edits: readonly Edit[]): BodyError[] {
  return edits.flatMap((edit, index) =>
    checkEdit(edit).map((fault) => ({ ...fault, pointer: `/edits/${index}${fault.pointer}` })),
  )
}

function checkEdit(edit: Edit): BodyError[] {
  const { field, op } = edit
  const place = placeOf(field)
  if (place === undefined) {
    const message = `is not a field that edits can change${unknownFieldHint(field)}`
    return [{ pointer: '/field', code: 'unknown_field', message }]
  }
  const operations = operationsAt(place)
  if (!operations.includes(op)) {
    const message = `${field} takes ${operations.join(', ')}, not ${op}`
    return [{ pointer: '/op', code: 'invalid_choice', message }]
  }
  return [...checkValue(edit, place), ...checkDecimals(edit)]
}

function checkDecimals({ op, decimals }: Edit): BodyError[] {
  if (decimals === undefined || op === 'multiply' || op === 'add') return []
  return [{ pointer: '/decimals', code: 'not_applicable', message: 'is for multiply and add' }]
}

function checkValue(edit: Edit, place: Place): BodyError[] {
  if (edit.op === 'clear') {
    if (edit.value === undefined) return []
    return [{ pointer: '/value', code: 'not_applicable', message: 'clear takes no value' }]
  }
  const faults = faultsOf(valueChecks[edit.op], { value: edit.value })
  return faults.length > 0 ? faults : checkByField(edit, place)
}

/** The faults that a product would have with the value, or with the least that the edit makes of a text. */
function checkByField({ op, value }: Edit, { group, name }: Place): BodyError[] {
  if (op === 'multiply' || op === 'add' || op === 'rename') return []
  const sample = structuredClone(sampleOf(op, value, group === undefined && isRequired(name)))
  const product = {
    sku: 'x',
    ...(group === undefined ? { [name]: sample } : { [group]: { [name]: sample } }),
  }
  const place = `${group === undefined ? '' : `/${group}`}/${escapePointer(name)}`
  const moved = op === 'replace' ? '/value/with' : '/value'
  return faultsOf(checkProduct, product).map((fault) => ({
    ...fault,
    pointer: moved + fault.pointer.slice(place.length),
  }))
}

/** A required text is trimmed and never empty. A blank alone is therefore invalid, but a blank next to other text is not. */
function sampleOf(op: Operation, value: unknown, isNeverEmpty: boolean): unknown {
  const text = op === 'replace' ? (value as { with: string }).with : value
  if (op === 'set' || typeof text !== 'string' || !isNeverEmpty) return text
  if (op === 'append') return `x${text}`
  if (op === 'prepend') return `${text}x`
  return text.trim() === '' ? 'x' : text
}

function faultsOf(check: ReturnType<typeof compileBody> | undefined, body: object): BodyError[] {
  const result = check?.(body)
  return result !== undefined && 'error' in result ? ((result.error.extras.errors ?? []) as BodyError[]) : []
}
