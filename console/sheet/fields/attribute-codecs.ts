import { isDay } from '../../../src/model/attributes/date-value.ts'
import { escaped, guarded, splitAt, unescaped, unguarded } from '../../../src/model/files/cell-text.ts'
import { parseSwitchCell } from '../../../src/model/files/cell-values.ts'
import { attributeJson } from '../../../src/model/files/row-json.ts'
import { productLimits } from '../../../src/model/limits/products.ts'
import { exactText } from '../../parts/numbers/number-hint.ts'
import type { AttributeDefinition } from '../../wire.ts'
import { strings } from '../strings.ts'
import { type Codec, isSame, type ReadValue } from './codec.ts'
import { type Choice, choiceError, findChoice, numberCodec, textCodec } from './field-codecs.ts'
import { dateExample, dateText, readDate } from './read-date.ts'

const text = textCodec({ longest: productLimits.attributeValueCharacters, isLine: false, empty: null })

const booleans: readonly Choice[] = [
  { value: 'true', label: strings.values.yes },
  { value: 'false', label: strings.values.no },
]
const booleanText = (value: unknown) =>
  booleans.find((one) => one.value === String(value))?.label ?? String(value ?? '')

const boolean: Codec = {
  editor: 'choice',
  choices: booleans,
  text: booleanText,
  shown: booleanText,
  read(cell) {
    const word = cell.trim()
    if (word === '') return { value: null }
    const value = parseSwitchCell(findChoice(booleans, word)?.value ?? word)
    return typeof value === 'boolean' ? { value } : { error: strings.errors.boolean }
  },
}

const date: Codec = {
  editor: 'date',
  text: (value) => String(value ?? ''),
  shown: (value) => dateText(String(value ?? '')),
  read(cell) {
    if (cell.trim() === '') return { value: null }
    const value = readDate(cell)
    return value === undefined ? { error: strings.errors.date(dateExample) } : { value }
  },
}

/** Values that are not allowed are errors only if the service rejects them. */
function choice({ allowed, mode }: AttributeDefinition): Codec {
  const choices = (allowed ?? []).map((value) => ({ value, label: value }))
  return {
    editor: 'choice',
    choices,
    text: (value) => guarded(String(value ?? '')),
    shown: (value) => String(value ?? ''),
    read(cell) {
      const word = unguarded(cell).trim()
      if (word === '') return { value: null }
      const found = findChoice(choices, word)
      return found === undefined && mode === 'enforce'
        ? { error: choiceError(choices) }
        : { value: found?.value ?? word }
    },
  }
}

/** Values between bars or in lines. A list as JSON, as exports write it, is accepted too. */
function several(single: Codec): Codec {
  const list = (value: unknown) => (Array.isArray(value) ? value : value == null ? [] : [value])
  return {
    editor: 'several',
    ...(single.choices !== undefined && { choices: single.choices }),
    text: (value) => joinParts(list(value).map((one) => unguarded(single.text(one)))),
    shown: (value) => list(value).map(single.shown).join(', '),
    read(cell, before) {
      const parts = splitParts(cell)
      if (parts.length > productLimits.attributeValues)
        return { error: strings.errors.tooMany(productLimits.attributeValues) }
      const values: unknown[] = []
      for (const part of parts) {
        // A list can hold values of several types. Existing values keep their type.
        const known = list(before).find((one) => unguarded(single.text(one)) === part)
        const read: ReadValue = known === undefined ? single.read(guarded(part), undefined) : { value: known }
        if ('error' in read) return read
        if (read.value !== null && !values.some((one) => isSame(one, read.value))) values.push(read.value)
      }
      // A single value that was stored alone stays alone.
      const isAlone = values.length === 1 && before != null && !Array.isArray(before)
      return { value: values.length === 0 ? null : isAlone ? values[0] : values }
    },
  }
}

/** The values of a list as text, and back. */
export function joinParts(parts: readonly string[]): string {
  return guarded(parts.map((part) => escaped(part, '|')).join('|'))
}

export function splitParts(cell: string): string[] {
  const list = unguarded(cell)
  const json = list.trim().startsWith('[') ? attributeJson(list.trim()) : ''
  if (json.startsWith('[')) return (JSON.parse(json) as unknown[]).map(String)
  return list
    .split(/\r\n?|\n/)
    .flatMap((line) => splitAt(line, '|'))
    .map((part) => unescaped(part.trim()))
    .filter((part) => part !== '')
}

/** An attribute without a definition: as an import reads a cell, unless the current value has a type. */
const any: Codec = {
  editor: 'text',
  text: (value) =>
    Array.isArray(value)
      ? JSON.stringify(value)
      : typeof value === 'string' && !isPlainText(value)
        ? JSON.stringify(value)
        : typeof value === 'string'
          ? guarded(value)
          : String(value ?? ''),
  shown: (value) =>
    [value ?? []]
      .flat()
      .map((one) =>
        typeof one === 'number' ? exactText(one) : typeof one === 'boolean' ? booleanText(one) : one,
      )
      .join(', '),
  read: (cell) =>
    cell.trim() === ''
      ? { value: null }
      : { value: JSON.parse(attributeJson(cell.replaceAll(/\r\n?/g, '\n'))) },
}

/** Whether the text is read as itself, not as a number or a boolean. */
function isPlainText(value: string): boolean {
  return JSON.parse(attributeJson(guarded(value))) === value
}

export function attributeCodec(
  definition: AttributeDefinition | undefined,
  values: readonly unknown[],
): Codec {
  if (definition === undefined) return guessedCodec(values)
  const single = singleCodec(definition)
  return definition.multiple ? several(single) : single
}

function singleCodec(definition: AttributeDefinition): Codec {
  const { type, unit, mode, min, max } = definition
  if (type === 'boolean') return boolean
  if (type === 'choice') return choice(definition)
  if (type === 'date') return date
  if (type !== 'number') return text
  const bounds = mode === 'enforce' && typeof min === 'number' && typeof max === 'number'
  return numberCodec({
    ...(bounds && { least: min, most: max }),
    shown: (value) => (unit === null ? exactText(value) : `${exactText(value)} ${unit}`),
  })
}

/** The type that all known values have. */
function guessedCodec(values: readonly unknown[]): Codec {
  const known = values.filter((value) => value !== undefined && value !== null)
  const isAll = (test: (value: unknown) => boolean) => known.length > 0 && known.every(test)
  if (isAll((value) => typeof value === 'number')) return numberCodec({})
  if (isAll((value) => typeof value === 'boolean')) return boolean
  if (isAll((value) => typeof value === 'string' && isDay(value))) return date
  if (isAll((value) => typeof value === 'string')) return text
  return isAll((value) => Array.isArray(value)) ? several(any) : any
}
