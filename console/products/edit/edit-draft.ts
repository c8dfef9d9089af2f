import type { Field, Kind, Operation } from '../../../src/model/fields/field.ts'
import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import { fieldsOfKind, productFields, textsOfSize } from '../../../src/model/fields/product-fields.ts'
import type { Edit } from '../../wire.ts'
import { strings } from '../strings.ts'
import { calculationOf, fromPrice, isCalculated, numberOf } from './calculations.ts'
import { noRounding, type RoundDraft } from './round-draft.ts'

/** Fields in the order of the dialog. An attribute is named in a control of its own. */
const editNames = [
  ...fieldsOfKind('choice'),
  ...fieldsOfKind('price'),
  ...textsOfSize('line', 'paragraph', 'document'),
  ...fieldsOfKind('categories'),
]
export type EditField = (typeof editNames)[number] | 'attribute'

type Choice<Value extends string = string> = { value: Value; label: string }

export const editFields: Choice<EditField>[] = [
  ...editNames.map((value) => ({ value, label: fieldLabel(value) })),
  { value: 'attribute', label: strings.edit.attribute },
]

/** The fields that can differ in a language or market. */
export const marketEditFields = editFields.filter(({ value }) => entryOf(value).viewColumn !== undefined)

function entryOf(field: EditField): Field {
  return productFields[field === 'attribute' ? 'attributes' : field]
}

export const fieldKind = (field: EditField) => entryOf(field).kind
export const sizeOf = (field: EditField) => entryOf(field).size ?? 'line'

/** Operations in the order of the dialog, with the API operation of each. */
const acts: [Operation, Choice][] = [
  ['multiply', { value: 'raise_percent', label: strings.edit.operations.raisePercent }],
  ['multiply', { value: 'lower_percent', label: strings.edit.operations.lowerPercent }],
  ['multiply', { value: fromPrice, label: strings.edit.operations.priceShare }],
  ['add', { value: 'raise', label: strings.edit.operations.raise }],
  ['add', { value: 'lower', label: strings.edit.operations.lower }],
  ['set', { value: 'set', label: strings.edit.operations.set }],
  ['append', { value: 'append', label: strings.edit.operations.append }],
  ['prepend', { value: 'prepend', label: strings.edit.operations.prepend }],
  ['replace', { value: 'replace', label: strings.edit.operations.replace }],
  ['rename', { value: 'rename', label: strings.edit.operations.rename }],
  ['clear', { value: 'clear', label: strings.edit.operations.clear }],
  ['add_categories', { value: 'add_categories', label: strings.edit.operations.add }],
  ['remove_categories', { value: 'remove_categories', label: strings.edit.operations.remove }],
]
/** Operations that only the API offers. */
const leftOut: Partial<Record<Kind, Operation[]>> = { choice: ['clear'], categories: ['set', 'clear'] }

function actsOn(field: EditField): Choice[] {
  const { kind, edits } = entryOf(field)
  const isOffered = (op: Operation) => edits.includes(op) && leftOut[kind]?.includes(op) !== true
  const offered = acts.flatMap(([op, act]) => (isOffered(op) ? [act] : []))
  if (kind === 'price') return offered.filter(({ value }) => value !== fromPrice)
  // Most attributes are not numbers: calculations come last.
  return [
    ...offered.filter(({ value }) => !isCalculated(value)),
    ...offered.filter(({ value }) => isCalculated(value)),
  ]
}

export const operationsOf = Object.fromEntries(
  editFields.map(({ value }) => [value, actsOn(value)]),
) as Record<EditField, Choice[]>

export const valueKinds = [
  { value: 'text', label: strings.edit.kinds.text },
  { value: 'number', label: strings.edit.kinds.number },
  { value: 'boolean', label: strings.edit.kinds.boolean },
  { value: 'list', label: strings.edit.kinds.list },
]

/** One edit in the dialog. Each operation uses some of the values. */
export type EditDraft = {
  key: string
  field: EditField
  op: string
  attribute: string
  kind: string
  value: string
  find: string
  with: string
  round: RoundDraft
  categories: { value: string; label: string }[]
}

export function newDraft(field: EditField = 'status'): EditDraft {
  return {
    key: crypto.randomUUID(),
    field,
    op: operationsOf[field][0]?.value ?? 'set',
    attribute: '',
    kind: 'text',
    value: entryOf(field).choices?.[0] ?? '',
    find: '',
    with: '',
    round: noRounding,
    categories: [],
  }
}

/** The edit in the format of the API. Invalid values are sent as is, so that the service reports them. */
export function editOf(draft: EditDraft, market?: string): Edit {
  const inBase = draft.field === 'attribute' ? `attributes.${draft.attribute.trim()}` : draft.field
  const field = market === undefined ? inBase : `views.${market}.${inBase}`
  if (isCalculated(draft.op)) return { field, ...calculationOf(draft) }
  switch (draft.op) {
    case 'clear':
      return { field, op: 'clear' }
    case 'replace':
      return { field, op: 'replace', value: { find: draft.find, with: draft.with } }
    case 'add_categories':
    case 'remove_categories':
      return { field, op: draft.op, value: draft.categories.map(({ value }) => Number(value)) }
    case 'set':
      return { field, op: 'set', value: settledValue(draft) }
    default:
      return { field, op: draft.op as Edit['op'], value: draft.value }
  }
}

function settledValue({ field, kind, value }: EditDraft): unknown {
  if (fieldKind(field) === 'price') return numberOf(value)
  if (field !== 'attribute' || kind === 'text') return value
  if (kind === 'number') return numberOf(value)
  if (kind === 'boolean') return value === 'true'
  return value.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
}

/** Whether the operation requires a number. */
export function isNumeric({ field, op, kind }: EditDraft): boolean {
  return (
    isCalculated(op) ||
    (fieldKind(field) === 'price' && op !== 'clear') ||
    (field === 'attribute' && op === 'set' && kind === 'number')
  )
}

/** Default title of the proposal. */
export function titleOf(drafts: EditDraft[]): string {
  const words = drafts.map(({ field, op, attribute, value }) => {
    const place =
      field === 'attribute'
        ? attribute || strings.edit.unnamedAttribute
        : label(editFields, field).toLowerCase()
    const act = label(operationsOf[field], op).toLowerCase()
    const isShort = value !== '' && value.length <= 30 && !['clear', 'replace'].includes(op)
    return `${place}: ${act}${isShort ? ` ${value.replaceAll('\n', ', ')}` : ''}`
  })
  const text = words.join('; ')
  return (text.charAt(0).toUpperCase() + text.slice(1)).slice(0, 200)
}

function label(choices: readonly { value: string; label: string }[], value: string): string {
  return choices.find((choice) => choice.value === value)?.label ?? value
}
