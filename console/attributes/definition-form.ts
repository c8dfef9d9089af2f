import { parseNumber } from '../parts/numbers/parse-number.ts'
import { fieldText } from '../parts/numbers/read-number.ts'
import type { Choice } from '../products/filters/category-select.tsx'
import type { AttributeDefinition, ProductType } from '../wire.ts'

/** A definition in the form. Numbers are stored as typed text. */
export type DefinitionValues = {
  name: string
  label: string
  group: string
  type: AttributeDefinition['type']
  unit: string
  multiple: boolean
  allowed: string[]
  pattern: string
  min: string
  max: string
  max_length: string
  required_for: { isRequired: boolean; product_types: ProductType[]; categories: Choice[] }
  mode: AttributeDefinition['mode']
  position: string
  description: string
}

export const emptyDefinition: AttributeDefinition = {
  name: '',
  label: null,
  group: null,
  position: 0,
  type: 'text',
  unit: null,
  multiple: false,
  allowed: null,
  pattern: null,
  min: null,
  max: null,
  max_length: null,
  required_for: null,
  mode: 'warn',
  description: '',
}

export function definitionValues(definition: AttributeDefinition, categories: Choice[]): DefinitionValues {
  const { label, group, unit, allowed, pattern, min, max, max_length, required_for, position } = definition
  const text = (value: number | string | null) =>
    typeof value === 'number' ? fieldText(value) : (value ?? '')
  return {
    ...definition,
    label: text(label),
    group: text(group),
    unit: text(unit),
    allowed: allowed ?? [],
    pattern: text(pattern),
    min: text(min),
    max: text(max),
    max_length: text(max_length),
    position: text(position),
    required_for: {
      isRequired: required_for !== null,
      product_types: required_for?.product_types ?? [],
      categories,
    },
  }
}

const isText = (type: DefinitionValues['type']) => type === 'text' || type === 'url'
const isBounded = (type: DefinitionValues['type']) => type === 'number' || type === 'date'
/** The fields of each type, so that values typed for another type are not sent. */
export const takes = { isText, isBounded, isChoice: (type: string) => type === 'choice' }

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())
export function definitionOf(values: DefinitionValues): AttributeDefinition {
  const { type, required_for, mode, multiple, description } = values
  const bound = (name: 'min' | 'max') => {
    const given = takes.isBounded(type) ? orNull(values[name]) : null
    return given === null || type === 'date' ? given : parseNumber(`/${name}`, given)
  }
  return {
    name: values.name,
    ...{ type, mode, multiple, description },
    label: orNull(values.label),
    group: orNull(values.group),
    unit: orNull(values.unit),
    position: values.position.trim() === '' ? 0 : parseNumber('/position', values.position),
    allowed: takes.isChoice(type) && values.allowed.length > 0 ? values.allowed : null,
    pattern: takes.isText(type) ? orNull(values.pattern) : null,
    min: bound('min'),
    max: bound('max'),
    max_length:
      takes.isText(type) && values.max_length.trim() !== ''
        ? parseNumber('/max_length', values.max_length)
        : null,
    required_for: required_for.isRequired
      ? {
          product_types: required_for.product_types,
          categories: required_for.categories.map(({ value }) => Number(value)),
        }
      : null,
  }
}
