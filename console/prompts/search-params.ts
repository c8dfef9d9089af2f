import { isWholeNumber, paged } from '../routes/read-url.ts'

export type PromptOrder = 'name' | '-updated_at' | '-created_at'
export type PromptsSearch = { page?: number; search?: string; ordering?: PromptOrder }

const orders: readonly unknown[] = ['name', '-created_at'] satisfies PromptOrder[]

export function readPromptsSearch(search: Record<string, unknown>): PromptsSearch {
  const { search: text, ordering } = search
  return {
    ...paged(search),
    ...(text !== undefined && text !== '' && { search: String(text) }),
    ...(orders.includes(ordering) && { ordering: ordering as PromptOrder }),
  }
}

export type PromptView = 'compare' | 'edit' | 'try' | 'outcomes' | 'labels'
const views: readonly unknown[] = ['compare', 'edit', 'try', 'outcomes', 'labels'] satisfies PromptView[]

export type PromptSearch = {
  /** Default: the text of a version. */
  view?: PromptView
  /** Default: the latest version. */
  version?: string
  /** Two versions, for example `1.0.0..1.1.0`. */
  compare?: string
  /** Fills the variables in the `try` view. */
  product?: number
  /** The page of the version list, or of the label history. */
  page?: number
  /** Filters the label history. */
  label?: string
}

const number = String.raw`\d{1,9}\.\d{1,9}\.\d{1,9}`
const oneVersion = new RegExp(`^${number}$`)
const twoVersions = new RegExp(`^(${number})\\.\\.(${number})$`)

export function readPromptSearch(search: Record<string, unknown>): PromptSearch {
  const { view, version, compare, product, label } = search
  const isTwo = typeof compare === 'string' && twoVersions.test(compare)
  return {
    ...paged(search),
    ...(isTwo ? { view: 'compare', compare } : views.includes(view) && { view: view as PromptView }),
    ...(typeof version === 'string' && oneVersion.test(version) && { version }),
    ...(isWholeNumber(product) && { product }),
    ...(typeof label === 'string' && { label }),
  }
}

export function readPair(compare: string | undefined): { from: string; to: string } | undefined {
  const [, from, to] = twoVersions.exec(compare ?? '') ?? []
  return from === undefined || to === undefined ? undefined : { from, to }
}

export function pairText(from: string, to: string): string {
  return `${from}..${to}`
}
