import { numberError } from '../../parts/numbers/parse-number.ts'
import { readNumber } from '../../parts/numbers/read-number.ts'
import { attributeParameter } from '../filter-labels.ts'
import { strings } from '../strings.ts'
import type { ViewChange } from '../view.ts'

export const filterKinds = [
  { value: 'status', label: strings.addFilter.kinds.status },
  { value: 'product_type', label: strings.addFilter.kinds.type },
  { value: 'category', label: strings.addFilter.kinds.category },
  { value: 'quality_score', label: strings.addFilter.kinds.score },
  { value: 'quality_rule', label: strings.addFilter.kinds.rule },
  { value: 'in_stock', label: strings.addFilter.kinds.stock },
  { value: 'low_stock', label: strings.addFilter.kinds.lowStock },
  { value: 'price', label: strings.addFilter.kinds.price },
  { value: 'has_image', label: strings.addFilter.kinds.image },
  { value: 'attribute', label: strings.addFilter.kinds.attribute },
  { value: 'written_by_prompt', label: strings.addFilter.kinds.prompt },
  { value: 'market', label: strings.addFilter.kinds.market },
] as const
export type FilterKind = (typeof filterKinds)[number]['value']

export const attributeOperators = [
  { value: 'exact', label: strings.addFilter.conditions.exact },
  { value: 'in', label: strings.addFilter.conditions.in },
  { value: 'icontains', label: strings.addFilter.conditions.icontains },
  { value: 'gte', label: strings.addFilter.conditions.gte },
  { value: 'lte', label: strings.addFilter.conditions.lte },
  { value: 'isnull=false', label: strings.addFilter.conditions.present },
  { value: 'isnull=true', label: strings.addFilter.conditions.missing },
]

export const marketOperators = [
  { value: 'missing_in', label: strings.addFilter.missingIn },
  { value: 'stale_in', label: strings.addFilter.outdatedIn },
  { value: 'differs_in', label: strings.addFilter.differsIn },
]

/** The values of the form. Each filter kind uses some of them. */
export type FilterDraft = {
  kind: FilterKind
  /** Selected values. */
  chosen: string[]
  /** A selected search result. */
  found: { value: string; label: string } | undefined
  isUnder: boolean
  from: string
  to: string
  name: string
  operator: string
  text: string
}

export const emptyFilter: FilterDraft = {
  kind: 'status',
  chosen: [],
  found: undefined,
  isUnder: true,
  from: '',
  to: '',
  name: '',
  operator: 'exact',
  text: '',
}

export function draftFor(kind: FilterKind): FilterDraft {
  return { ...emptyFilter, kind, ...(kind === 'market' && { operator: 'missing_in' }) }
}

/** The URL change. Replaces an existing filter of the same kind. */
export function changeOf(draft: FilterDraft): ViewChange {
  const { kind, chosen, found, isUnder, from, to, text } = draft
  switch (kind) {
    case 'status':
    case 'product_type':
      return {
        [kind]: chosen.length === 1 ? chosen[0] : undefined,
        [`${kind}__in`]: chosen.length > 1 ? chosen.join(',') : undefined,
      }
    case 'category':
      return {
        category: isUnder ? undefined : found?.value,
        category__in: undefined,
        category__under: isUnder ? found?.value : undefined,
      }
    case 'quality_score':
    case 'price':
      return { [`${kind}__gte`]: bound(from), [`${kind}__lte`]: bound(to) }
    case 'quality_rule':
    case 'in_stock':
    case 'low_stock':
    case 'has_image':
      return { [kind]: chosen[0] }
    case 'written_by_prompt':
      return {
        written_by_prompt: found?.value,
        written_by_version: undefined,
        written_by_version__lt: found && text.trim() !== '' ? text.trim() : undefined,
      }
    case 'attribute':
      return attributeChange(draft)
    case 'market':
      return marketChange(draft)
  }
}

function marketChange({ name, operator, text }: FilterDraft): ViewChange {
  if (name === '') return {}
  return { [operator]: operator === 'missing_in' && text !== '' ? `${name}.${text}` : name }
}

function attributeChange({ name, operator, text }: FilterDraft): ViewChange {
  const isCompared = operator === 'gte' || operator === 'lte'
  const typed = (isCompared ? bound(text) : undefined) ?? text.trim()
  const [ending = '', value = typed] = operator.split('=')
  return name.trim() === '' ? {} : { [attributeParameter(name.trim(), ending)]: value }
}

/** In the number format of the API. */
function bound(text: string): string | undefined {
  const read = readNumber(text)
  return 'number' in read ? String(read.number) : undefined
}

/** Whether a number field contains other text. */
export function hasInvalidNumber({ kind, from, to }: FilterDraft): boolean {
  const isRange = kind === 'price' || kind === 'quality_score'
  return isRange && [from, to].some((text) => numberError(text) !== undefined)
}

/** Whether the form is complete enough to apply. */
export function isFilled(draft: FilterDraft): boolean {
  return Object.values(changeOf(draft)).some((value) => value !== undefined && value !== '')
}
