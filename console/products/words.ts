import type { FieldOf } from '../../src/model/fields/product-fields.ts'
import { ownValue } from '../parts/forms/own-value.ts'
import { productStatuses } from '../parts/product-status.tsx'
import { dayText } from '../parts/words/moment.tsx'
import type { ProductStatus, ProductType } from '../wire.ts'

export const typeLabels: Record<ProductType, string> = {
  simple: 'Simple',
  configurable: 'Configurable',
  virtual: 'Virtual',
  bundle: 'Bundle',
  grouped: 'Grouped',
}
export const typeChoices = Object.entries(typeLabels).map(([value, label]) => ({ value, label }))
export const statusChoices = productStatuses.map(({ status, label }) => ({ value: status as string, label }))
/** Of each field that is a choice. */
export const fieldChoices: Record<FieldOf<'choice'>, { value: string; label: string }[]> = {
  status: statusChoices,
  product_type: typeChoices,
}

function statusLabel(status: string): string {
  return productStatuses.find((known) => known.status === (status as ProductStatus))?.label ?? status
}

const listed = (value: string, word: (one: string) => string) => value.split(',').map(word).join(' or ')
const typeLabel = (type: string) => ownValue<string>(typeLabels, type) ?? type
const yes = (value: string, words: [string, string]) =>
  value === 'true' ? words[0] : value === 'false' ? words[1] : undefined

/** Midnight as the day that begins then, by the clock that the address names. */
function momentText(value: string): string {
  const [day = '', time = ''] = value.split('T')
  return /^0[0:.]*Z$/.test(time) && /^\d{4}-\d\d-\d\d$/.test(day) ? dayText(day) : value
}

/** Filters whose words need nothing but their value. */
const sentences: Record<string, (value: string) => string | undefined> = {
  status: (value) => `Status: ${statusLabel(value)}`,
  status__in: (value) => `Status: ${listed(value, statusLabel)}`,
  product_type: (value) => `Type: ${typeLabel(value)}`,
  product_type__in: (value) => `Type: ${listed(value, typeLabel)}`,
  in_stock: (value) => yes(value, ['In stock', 'Out of stock']),
  low_stock: (value) => yes(value, ['Low in stock', 'Not low in stock']),
  has_image: (value) => yes(value, ['With an image', 'Without an image']),
  created_at__gte: (value) => `Created from ${momentText(value)}`,
  created_at__lt: (value) => `Created before ${momentText(value)}`,
  updated_at__gte: (value) => `Changed from ${momentText(value)}`,
  updated_at__lt: (value) => `Changed before ${momentText(value)}`,
  price__gte: (value) => `Price from ${value}`,
  price__lte: (value) => `Price up to ${value}`,
  quality_score__gte: (value) => `Score from ${value}`,
  quality_score__lte: (value) => `Score up to ${value}`,
  quality_rule: (value) => `Fails ${value.replaceAll('_', ' ')}`,
  written_by_version: (value) => `Prompt version ${value}`,
  written_by_version__lt: (value) => `Prompt version below ${value}`,
  id__in: (value) => `${value.split(',').length.toLocaleString()} chosen by ID`,
}

/** What a filter asks for, in words; its name and value where there are none. */
export function filterWords(name: string, value: string): string {
  return ownValue(sentences, name)?.(value) ?? attributeWords(name, value) ?? `${name}: ${value}`
}

const attributeName = /^attributes(?:\[(.+)\]|__(.+?))(?:__(in|icontains|isnull|gte|lte))?$/s

function attributeWords(parameter: string, value: string): string | undefined {
  const [, bracketed, plain, operator = 'exact'] = attributeName.exec(parameter) ?? []
  const name = bracketed ?? plain
  if (name === undefined) return undefined
  if (operator === 'isnull') return value === 'true' ? `No ${name}` : `Has ${name}`
  const words = { in: 'is one of', icontains: 'contains', gte: 'from', lte: 'up to', exact: 'is' }
  return `${name} ${words[operator as keyof typeof words]} ${value}`
}

/** The parameter that asks for an attribute: in brackets where the name is no identifier. */
export function attributeParameter(name: string, operator: string): string {
  const isPlain = /^[A-Za-z][A-Za-z0-9_]*$/.test(name) && !name.includes('__') && !name.endsWith('_')
  return `attributes${isPlain ? `__${name}` : `[${name}]`}${operator === 'exact' ? '' : `__${operator}`}`
}
