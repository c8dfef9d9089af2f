import type { AttributeDefinition } from '../../../model/attributes/attribute-definition.schema.ts'
import { isDay } from '../../../model/attributes/date-value.ts'
import { compilePattern } from '../../../model/attributes/linear-pattern.ts'
import { attributeLimits } from '../../../model/limits/attributes.ts'
import type { Tally } from '../rows/tally.ts'
import type { AkeneoAttribute } from './attributes.ts'

/** A definition without its requirements. */
export type ImportedDefinition = Omit<AttributeDefinition, 'required_for' | 'mode' | 'description'>

/** The definition of an attribute, named after its column. */
export function definitionOf(attribute: AkeneoAttribute, column: string, tally: Tally): ImportedDefinition {
  const { kind, cell, options, isMultiple, code } = attribute
  tally.beginRow()
  const hasOptions = /select$/.test(kind) && options.size > 0
  const allowed = hasOptions && options.size <= attributeLimits.choices ? [...options.values()] : null
  if (hasOptions && allowed === null)
    tally.drop('code', `option of an attribute with more than ${attributeLimits.choices}`)
  const isUrl = kind === 'text' && cell('validation_rule') === 'url'
  const type = allowed !== null ? 'choice' : isUrl ? 'url' : plainType(attribute)
  const suffix = column === code ? '' : ` (${column.slice(code.length + 1)})`
  return {
    name: column,
    label: `${attribute.label.slice(0, 200)}${suffix}`.slice(0, 255),
    group: attribute.group,
    position: attribute.position,
    type,
    unit: attribute.unit === '' ? null : (symbols[attribute.unit] ?? attribute.unit.toLowerCase()),
    multiple: isMultiple,
    allowed,
    ...limitsOf(type, cell, tally),
  }
}

function plainType({ kind, type }: AkeneoAttribute): 'date' | 'text' | 'number' | 'boolean' {
  return kind === 'date' ? 'date' : type
}

function limitsOf(type: AttributeDefinition['type'], cell: AkeneoAttribute['cell'], tally: Tally) {
  const figure = (column: string) =>
    type === 'number' && /^-?\d+(\.\d+)?$/.test(cell(column)) ? Number(cell(column)) : null
  const day = (column: string) => (type === 'date' && isDay(cell(column)) ? cell(column) : null)
  const isLength = type === 'text' && /^[1-9]\d{0,3}$/.test(cell('max_characters'))
  const limits = {
    number_min: figure('number_min'),
    number_max: figure('number_max'),
    date_min: day('date_min'),
    date_max: day('date_max'),
    negative_allowed: type === 'number' && cell('negative_allowed') === '0' ? 0 : null,
    max_characters: isLength ? Number(cell('max_characters')) : null,
    validation_regexp: type === 'text' ? patternOf(cell('validation_regexp')) : null,
    validation_rule: type === 'url' ? true : null,
  }
  for (const [column, limit] of Object.entries(limits))
    if (cell(column) !== '' && limit === null) tally.drop(column, 'not a valid limit')
  return {
    min: limits.number_min ?? limits.date_min ?? limits.negative_allowed,
    max: limits.number_max ?? limits.date_max,
    max_length: limits.max_characters,
    pattern: limits.validation_regexp,
  }
}

/** `/^[A-Z]+$/` without slashes; null for a pattern that RE2 does not support. */
function patternOf(text: string): string | null {
  const [, inside = ''] = /^\/\^?(.*?)\$?\/$/s.exec(text) ?? []
  if (inside === '' || inside.length > 500) return null
  try {
    compilePattern(inside)
    return inside
  } catch {
    return null
  }
}

const symbols: Record<string, string> = {
  ...{ MILLIGRAM: 'mg', GRAM: 'g', KILOGRAM: 'kg', TON: 't', OUNCE: 'oz', POUND: 'lb' },
  ...{ MILLIMETER: 'mm', CENTIMETER: 'cm', METER: 'm', KILOMETER: 'km', INCH: 'in', FEET: 'ft', YARD: 'yd' },
  ...{ MILLILITER: 'ml', CENTILITER: 'cl', LITER: 'l', SQUARE_METER: 'm²', CUBIC_METER: 'm³' },
  ...{ WATT: 'W', KILOWATT: 'kW', VOLT: 'V', AMPERE: 'A', HERTZ: 'Hz', MEGAHERTZ: 'MHz', GIGAHERTZ: 'GHz' },
  ...{ BYTE: 'B', MEGABYTE: 'MB', GIGABYTE: 'GB', TERABYTE: 'TB', CELSIUS: '°C', FAHRENHEIT: '°F' },
  ...{ SECOND: 's', MINUTE: 'min', HOUR: 'h', DAY: 'd', DECIBEL: 'dB' },
}
