import { readNumber } from '../../parts/numbers/read-number.ts'
import type { Edit } from '../../wire.ts'

export const editFields = [
  { value: 'status', label: 'Status' },
  { value: 'product_type', label: 'Type' },
  { value: 'price', label: 'Price' },
  { value: 'name', label: 'Name' },
  { value: 'short_description', label: 'Short description' },
  { value: 'description', label: 'Description' },
  { value: 'categories', label: 'Categories' },
  { value: 'attribute', label: 'Attribute' },
] as const
export type EditField = (typeof editFields)[number]['value']

const set = { value: 'set', label: 'Set to' }
const clear = { value: 'clear', label: 'Clear' }
const ofText = [
  { value: 'append', label: 'Add at the end' },
  { value: 'prepend', label: 'Add at the beginning' },
  { value: 'replace', label: 'Find and replace' },
]

export const operationsOf: Record<EditField, { value: string; label: string }[]> = {
  status: [set],
  product_type: [set],
  price: [
    { value: 'raise_percent', label: 'Raise by percent' },
    { value: 'lower_percent', label: 'Lower by percent' },
    { value: 'raise', label: 'Raise by an amount' },
    { value: 'lower', label: 'Lower by an amount' },
    set,
    clear,
  ],
  name: [set, ...ofText],
  short_description: [set, ...ofText, clear],
  description: [set, ...ofText, clear],
  categories: [
    { value: 'add_categories', label: 'Add' },
    { value: 'remove_categories', label: 'Remove' },
  ],
  attribute: [set, ...ofText, { value: 'rename', label: 'Rename to' }, clear],
}

export const valueKinds = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'list', label: 'Several texts, one a line' },
]

/** One edit as the dialog holds it; each operation uses some of it. */
export type EditDraft = {
  key: string
  field: EditField
  op: string
  attribute: string
  kind: string
  value: string
  find: string
  with: string
  categories: { value: string; label: string }[]
}

export function newDraft(field: EditField = 'status'): EditDraft {
  return {
    key: crypto.randomUUID(),
    field,
    op: operationsOf[field][0]?.value ?? 'set',
    attribute: '',
    kind: 'text',
    value: field === 'status' ? 'active' : field === 'product_type' ? 'simple' : '',
    find: '',
    with: '',
    categories: [],
  }
}

/** As the service takes it. What is missing or no number is sent as it is, and the service says so at its field. */
export function editOf(draft: EditDraft): Edit {
  const field = draft.field === 'attribute' ? `attributes.${draft.attribute.trim()}` : draft.field
  const amount = numberOf(draft.value)
  switch (draft.op) {
    case 'clear':
      return { field, op: 'clear' }
    case 'raise_percent':
      return { field, op: 'multiply', value: amount === null ? null : share(100 + amount) }
    case 'lower_percent':
      return { field, op: 'multiply', value: amount === null ? null : share(100 - amount) }
    case 'raise':
      return { field, op: 'add', value: amount }
    case 'lower':
      return { field, op: 'add', value: amount === null ? null : -amount }
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
  if (field === 'price') return numberOf(value)
  if (field !== 'attribute' || kind === 'text') return value
  if (kind === 'number') return numberOf(value)
  if (kind === 'boolean') return value === 'true'
  return value.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
}

/** Null where the text is no number. */
function numberOf(text: string): number | null {
  const read = readNumber(text)
  return 'number' in read ? read.number : null
}

/** Whether the value is a number, whatever was typed. */
export function isNumeric({ field, op, kind }: EditDraft): boolean {
  return (field === 'price' && op !== 'clear') || (field === 'attribute' && op === 'set' && kind === 'number')
}

/** By its decimal places: a division would make 1.1 of 110 only nearly. */
function share(percent: number): number {
  return Number(`${percent.toFixed(6)}e-2`)
}

/** What the edits do, as the title of a proposal that was given none. */
export function titleOf(drafts: EditDraft[]): string {
  const words = drafts.map(({ field, op, attribute, value }) => {
    const place = field === 'attribute' ? attribute || 'attribute' : label(editFields, field).toLowerCase()
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
