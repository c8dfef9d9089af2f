import { type TSchema, Type } from 'typebox'
import type { Operation } from '../../../model/fields/field.ts'
import { fieldPointer, nestFields } from '../../../model/fields/field-paths.ts'
import { isRequired } from '../../../model/fields/product-fields.ts'
import { productLimits } from '../../../model/limits/products.ts'
import { proposalLimits } from '../../../model/limits/proposals.ts'
import { countDecimals } from '../../../model/product/exact-decimals.ts'
import { WritableLineSchema } from '../../../model/product/product-input.schema.ts'
import { compileBody } from '../../../platform/http/body/validate-body.ts'
import { closed } from '../../../platform/http/closed.ts'
import type { BodyError } from '../../../platform/http/problems.ts'
import type { Edit } from './edit.schema.ts'
import { type EditTarget, operationsAt, targetOf, unknownFieldHint } from './edit-fields.ts'

const Text = Type.String({ minLength: 1, maxLength: proposalLimits.editTextCharacters })
const Categories = Type.Array(Type.Unknown(), { minItems: 1 })

/** The value of each operation. The field checks the value, too. */
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

/** All errors of edits that match EditsSchema. */
export function checkEdits(edits: readonly Edit[]): BodyError[] {
  return edits.flatMap((edit, index) =>
    checkEdit(edit).map((error) => ({ ...error, pointer: `/edits/${index}${error.pointer}` })),
  )
}

function checkEdit(edit: Edit): BodyError[] {
  const { field, op } = edit
  const target = targetOf(field)
  if (target === undefined) {
    const message = `is not a field that edits can change${unknownFieldHint(field)}`
    return [{ pointer: '/field', code: 'unknown_field', message }]
  }
  const operations = operationsAt(target)
  if (!operations.includes(op)) {
    const message = `${field} supports ${operations.join(', ')}, not ${op}`
    return [{ pointer: '/op', code: 'invalid_choice', message }]
  }
  return [...checkValue(edit, target), ...checkRounding(edit), ...checkSource(edit, target)]
}

/** How the result of a calculation is rounded. */
function checkRounding({ op, decimals, round }: Edit): BodyError[] {
  const isCalculated = op === 'multiply' || op === 'add'
  if (round === undefined) return decimals === undefined || isCalculated ? [] : [onlyCalculated('/decimals')]
  if (!isCalculated) return [onlyCalculated('/round')]
  if (decimals !== undefined)
    return [{ pointer: '/decimals', code: 'not_applicable', message: 'is not allowed with round' }]
  const given = [round.step, round.ending].filter((value) => value !== undefined)
  if (given.length !== 1)
    return [{ pointer: '/round', code: 'invalid_value', message: 'must have either step or ending' }]
  const most = productLimits.priceDecimals
  if (given.every((value) => countDecimals(value) <= most)) return []
  const pointer = round.step === undefined ? '/round/ending' : '/round/step'
  return [{ pointer, code: 'too_many_decimals', message: `must have at most ${most} decimals` }]
}

/** Only an attribute can be computed from the price. */
function checkSource({ op, from }: Edit, { group }: EditTarget): BodyError[] {
  if (from === undefined) return []
  if (op !== 'multiply' && op !== 'add') return [onlyCalculated('/from')]
  if (group === 'attributes') return []
  return [{ pointer: '/from', code: 'not_applicable', message: 'applies only to attributes' }]
}

function onlyCalculated(pointer: string): BodyError {
  return { pointer, code: 'not_applicable', message: 'applies only to multiply and add' }
}

function checkValue(edit: Edit, target: EditTarget): BodyError[] {
  if (edit.op === 'clear') {
    if (edit.value === undefined) return []
    return [{ pointer: '/value', code: 'not_applicable', message: 'is not allowed with clear' }]
  }
  const errors = errorsFrom(valueChecks[edit.op], { value: edit.value })
  return errors.length > 0 ? errors : checkByField(edit, target)
}

/** The errors of a product with the value, or with the shortest text that the edit can produce. */
function checkByField({ op, value, field }: Edit, { group, name }: EditTarget): BodyError[] {
  if (op === 'multiply' || op === 'add' || op === 'rename') return []
  const sample = structuredClone(sampleOf(op, value, group === undefined && isRequired(name)))
  const product = { sku: 'x', ...nestFields([[field, sample]]) }
  const place = fieldPointer(field)
  const moved = op === 'replace' ? '/value/with' : '/value'
  return errorsFrom(checkProduct, product).map((error) => ({
    ...error,
    pointer: moved + error.pointer.slice(place.length),
  }))
}

/** A required text is trimmed and never empty. Whitespace alone is therefore invalid, but not next to other text. */
function sampleOf(op: Operation, value: unknown, isNeverEmpty: boolean): unknown {
  const text = op === 'replace' ? (value as { with: string }).with : value
  if (op === 'set' || typeof text !== 'string' || !isNeverEmpty) return text
  if (op === 'append') return `x${text}`
  if (op === 'prepend') return `${text}x`
  return text.trim() === '' ? 'x' : text
}

function errorsFrom(check: ReturnType<typeof compileBody> | undefined, body: object): BodyError[] {
  const result = check?.(body)
  return result !== undefined && 'error' in result ? ((result.error.extras.errors ?? []) as BodyError[]) : []
}
