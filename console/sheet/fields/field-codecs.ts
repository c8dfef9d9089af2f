import type { Field } from '../../../src/model/fields/field.ts'
import { guarded, unguarded } from '../../../src/model/files/cell-text.ts'
import { productLimits } from '../../../src/model/limits/products.ts'
import { exactText } from '../../parts/numbers/number-hint.ts'
import { fieldText, readNumber } from '../../parts/numbers/read-number.ts'
import { strings } from '../strings.ts'
import type { Codec, ReadValue } from './codec.ts'

type TextOptions = { longest: number; isLine: boolean; empty: unknown; required?: string }

/** Cells of spreadsheets often have line breaks at the end, and in fields that have only one line. */
export function textCodec({ longest, isLine, empty, required }: TextOptions): Codec {
  return {
    editor: 'text',
    text: (value) => guarded(String(value ?? '')),
    shown: (value) => String(value ?? ''),
    read(cell) {
      const text = unguarded(cell.replaceAll(/\r\n?/g, '\n'))
      const value = isLine ? text.trim().replaceAll(/\s*\n\s*/g, ' ') : text.replace(/\n+$/, '')
      if (value.trim() === '')
        return required === undefined ? { value: empty } : { error: strings.errors.required(required) }
      return [...value].length > longest ? { error: strings.errors.tooLong(longest) } : { value }
    },
  }
}

type NumberOptions = {
  least?: number
  most?: number
  decimals?: number
  shown?: (value: number) => string
  required?: string
}

/** Spreadsheets copy prices with their currency. */
const currencyMark = /^(?:\p{Sc}|[A-Z]{3}\b)\s*|\s*(?:\p{Sc}|\b[A-Z]{3})$/gu

export function numberCodec({ least, most, decimals, shown = exactText, required }: NumberOptions): Codec {
  const check = (number: number): ReadValue => {
    if (decimals === 0 && !Number.isInteger(number)) return { error: strings.errors.whole }
    if (number < (least ?? number) || number > (most ?? number))
      return { error: strings.errors.range(exactText(least ?? 0), exactText(most ?? 0)) }
    return decimals !== undefined && Number(number.toFixed(decimals)) !== number
      ? { error: strings.errors.decimals(decimals) }
      : { value: number }
  }
  return {
    editor: 'number',
    isNumber: true,
    text: (value) => (typeof value === 'number' ? fieldText(value) : String(value ?? '')),
    shown: (value) => (typeof value === 'number' ? shown(value) : String(value ?? '')),
    read(text) {
      const cell = text.trim().replaceAll(currencyMark, '')
      if (cell === '')
        return required === undefined ? { value: null } : { error: strings.errors.required(required) }
      const read = readNumber(cell)
      return 'error' in read ? read : check(read.number)
    },
  }
}

export type Choice = { value: string; label: string }
const listedChoices = 10

/** By value or by label, in any case. */
export function findChoice(choices: readonly Choice[], text: string): Choice | undefined {
  const wanted = text.trim().toLowerCase()
  return (
    choices.find(({ value }) => value === text.trim()) ??
    choices.find(({ value, label }) => value.toLowerCase() === wanted || label.toLowerCase() === wanted)
  )
}

export function choiceError(choices: readonly Choice[]): string {
  const labels = choices.slice(0, listedChoices).map(({ label }) => label)
  return strings.errors.choice(labels.join(', ') + (choices.length > listedChoices ? ', …' : ''))
}

function choiceCodec(choices: readonly Choice[]): Codec {
  const labelOf = (value: unknown) => choices.find((one) => one.value === value)?.label ?? String(value ?? '')
  return {
    editor: 'choice',
    choices,
    text: labelOf,
    shown: labelOf,
    read(text) {
      const found = findChoice(choices, text)
      return found === undefined ? { error: choiceError(choices) } : { value: found.value }
    },
  }
}

/** The codec of an entry in the field table. Undefined if its values are not edited in cells. */
export function codecOf(field: Field, choices: readonly Choice[], priceText: (price: number) => string) {
  const { kind, longest = Number.POSITIVE_INFINITY, size = 'line', label } = field
  const required = field.default === undefined ? label : undefined
  if (kind === 'code' || kind === 'text')
    return textCodec({
      longest,
      isLine: size === 'line',
      empty: field.default ?? '',
      ...(required !== undefined && { required }),
    })
  if (kind === 'choice') return choiceCodec(choices)
  if (kind !== 'price') return undefined
  return numberCodec({
    least: 0,
    most: productLimits.price,
    decimals: productLimits.priceDecimals,
    shown: priceText,
  })
}
