import type { FieldOf } from '../../src/model/fields/product-fields.ts'
import { dayText } from '../parts/format/relative-time.tsx'
import { ruleName } from '../parts/format/rule-name.ts'
import { ownValue } from '../parts/forms/own-value.ts'
import { productStatuses } from '../parts/product-status.tsx'
import type { ProductStatus, ProductType } from '../wire.ts'
import { strings } from './strings.ts'

export const typeLabels: Record<ProductType, string> = {
  simple: strings.types.simple,
  configurable: strings.types.configurable,
  virtual: strings.types.virtual,
  bundle: strings.types.bundle,
  grouped: strings.types.grouped,
}
export const typeChoices = Object.entries(typeLabels).map(([value, label]) => ({ value, label }))
export const statusChoices = productStatuses.map(({ status, label }) => ({ value: status as string, label }))
/** The choices of each choice field. */
export const fieldChoices: Record<FieldOf<'choice'>, { value: string; label: string }[]> = {
  status: statusChoices,
  product_type: typeChoices,
}

function statusLabel(status: string): string {
  return productStatuses.find((known) => known.status === (status as ProductStatus))?.label ?? status
}

const listed = (value: string, word: (one: string) => string) =>
  value.split(',').map(word).join(strings.filter.or)
const typeLabel = (type: string) => ownValue<string>(typeLabels, type) ?? type
const yes = (value: string, words: [string, string]) =>
  value === 'true' ? words[0] : value === 'false' ? words[1] : undefined

/** Shows midnight UTC as the day. */
function dateLabel(value: string): string {
  const [day = '', time = ''] = value.split('T')
  return /^0[0:.]*Z$/.test(time) && /^\d{4}-\d\d-\d\d$/.test(day) ? dayText(day) : value
}

/** Labels of filters that depend only on the value. */
const sentences: Record<string, (value: string) => string | undefined> = {
  status: (value) => strings.filter.status(statusLabel(value)),
  status__in: (value) => strings.filter.status(listed(value, statusLabel)),
  product_type: (value) => strings.filter.type(typeLabel(value)),
  product_type__in: (value) => strings.filter.type(listed(value, typeLabel)),
  match: (value) => (value === 'close' ? strings.filter.close : undefined),
  in_stock: (value) => yes(value, [strings.filter.inStock, strings.filter.outOfStock]),
  low_stock: (value) => yes(value, [strings.filter.lowStock, strings.filter.notLowStock]),
  has_image: (value) => yes(value, [strings.filter.withImage, strings.filter.withoutImage]),
  created_at__gte: (value) => strings.filter.createdFrom(dateLabel(value)),
  created_at__lt: (value) => strings.filter.createdBefore(dateLabel(value)),
  updated_at__gte: (value) => strings.filter.updatedFrom(dateLabel(value)),
  updated_at__lt: (value) => strings.filter.updatedBefore(dateLabel(value)),
  price__gte: strings.filter.priceFrom,
  price__lte: strings.filter.priceTo,
  quality_score__gte: strings.filter.scoreFrom,
  quality_score__lte: strings.filter.scoreTo,
  quality_rule: (value) => strings.filter.fails(ruleName(value)),
  written_by_version: strings.filter.promptVersion,
  written_by_version__lt: strings.filter.promptVersionBelow,
  id__in: (value) => strings.filter.ids(value.split(',').length),
}

/** The label of a filter, or its name and value. */
export function filterLabel(name: string, value: string): string {
  return ownValue(sentences, name)?.(value) ?? attributeLabel(name, value) ?? `${name}: ${value}`
}

const attributeName = /^attributes(?:\[(.+)\]|__(.+?))(?:__(in|icontains|isnull|gte|lte))?$/s

function attributeLabel(parameter: string, value: string): string | undefined {
  const [, bracketed, plain, operator = 'exact'] = attributeName.exec(parameter) ?? []
  const name = bracketed ?? plain
  if (name === undefined) return undefined
  if (operator === 'isnull')
    return value === 'true' ? strings.filter.noAttribute(name) : strings.filter.hasAttribute(name)
  const { operators, attribute } = strings.filter
  return attribute(name, operators[operator as keyof typeof operators], value)
}

/** The filter parameter of an attribute, in brackets if the name is not an identifier. */
export function attributeParameter(name: string, operator: string): string {
  const isPlain = /^[A-Za-z][A-Za-z0-9_]*$/.test(name) && !name.includes('__') && !name.endsWith('_')
  return `attributes${isPlain ? `__${name}` : `[${name}]`}${operator === 'exact' ? '' : `__${operator}`}`
}
