import { splitField } from '../../../src/model/fields/field-paths.ts'
import { fieldsOfKind } from '../../../src/model/fields/product-fields.ts'
import { ProblemError } from '../../network.ts'
import { numberError } from '../../parts/numbers/parse-number.ts'
import { notANumber } from '../../parts/numbers/read-number.ts'
import { asSentence } from '../../parts/problem.tsx'
import { strings } from '../strings.ts'
import { type AttributeDraft, isNoNumber } from './attribute-draft.ts'
import type { Draft } from './draft.ts'

/** Errors by JSON pointer, such as `/attributes/color` or `/media/0/url`. */
export type FieldErrors = Readonly<Record<string, string>>
export const noErrors: FieldErrors = {}

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
const unescaped = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~')

function pointerOf(field: string): string {
  return `/${splitField(field).map(escaped).join('/')}`
}

/** The field that contains the pointer's target. */
export function fieldAtPointer(pointer: string): string {
  const [, first = '', second] = pointer.split('/').map(unescaped)
  const field = second === undefined ? first : `${first}.${second}`
  return splitField(field).length === 2 ? field : first
}

/** The error of a field, or the first error within it. */
export function errorAt(fieldErrors: FieldErrors, field: string): string | undefined {
  return errorUnder(fieldErrors, pointerOf(field))
}

export function errorUnder(fieldErrors: FieldErrors, pointer: string): string | undefined {
  const found = Object.keys(fieldErrors).find((one) => one === pointer || one.startsWith(`${pointer}/`))
  return found === undefined ? undefined : fieldErrors[found]
}

export function withoutErrors(fieldErrors: FieldErrors, field: string): FieldErrors {
  if (errorAt(fieldErrors, field) === undefined) return fieldErrors
  const others = Object.entries(fieldErrors).filter(([pointer]) => fieldAtPointer(pointer) !== field)
  return Object.fromEntries(others)
}

/** Errors that the form detects before it sends the draft. */
export function validateDraft(draft: Draft): FieldErrors {
  const { attributes, inventory, components } = draft
  const { quantity, reserved, low_stock_threshold } = inventory
  const numbers: [pointer: string, text: string][] = [
    ...fieldsOfKind('price').map((name): [string, string] => [`/${name}`, draft[name]]),
    ...Object.entries({ quantity, reserved, low_stock_threshold }).map(([name, text]): [string, string] => [
      `/inventory/${name}`,
      text,
    ]),
    ...components.map((one, index): [string, string] => [`/components/${index}/quantity`, one.quantity]),
  ]
  const found: [string, string | undefined][] = [
    ...numbers.map(([pointer, text]): [string, string | undefined] => [pointer, numberError(text)]),
    ...Object.entries(attributes).map(([name, value]): [string, string | undefined] => [
      pointerOf(`attributes.${name}`),
      attributeError(value),
    ]),
  ]
  return Object.fromEntries(found.filter(([, fieldError]) => fieldError !== undefined)) as FieldErrors
}

function attributeError(value: AttributeDraft): string | undefined {
  if (!isNoNumber(value)) return undefined
  const texts = 'text' in value ? [value.text] : value.kind === 'several' ? value.texts : []
  const fieldError = texts.map(numberError).find((one) => one !== undefined)
  return fieldError === undefined || fieldError === notANumber ? strings.attributes.invalidNumber : fieldError
}

/** Separates errors that belong to a field from the rest. */
export function sortErrors(error: Error): { fieldErrors: FieldErrors; loose: Error | undefined } {
  if (!(error instanceof ProblemError)) return { fieldErrors: noErrors, loose: error }
  // The service reports a duplicate SKU without a pointer.
  if (error.code === 'duplicate_sku') return { fieldErrors: { '/sku': error.message }, loose: undefined }
  const placed = error.fieldErrors.filter(
    ({ pointer = '' }) => pointer !== '' && !pointer.startsWith('/provenance'),
  )
  const fieldErrors: Record<string, string> = {}
  for (const { pointer = '', message } of placed) fieldErrors[pointer] ??= asSentence(message)
  const isAllPlaced = placed.length > 0 && placed.length === error.fieldErrors.length
  return { fieldErrors, loose: isAllPlaced ? undefined : error }
}
