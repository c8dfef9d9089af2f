import { oneOf, only, paged } from '../routes/read-url.ts'

export const reasons = ['same_gtin', 'same_name', 'close_name'] as const

export type DuplicatesSearch = { reason?: (typeof reasons)[number]; page?: number }

export function readDuplicatesSearch(search: Record<string, unknown>): DuplicatesSearch {
  const reason = oneOf(reasons, search['reason'])
  return only(search, { ...paged(search), ...(reason && { reason }) })
}
