import { useQuery } from '@tanstack/react-query'
import { orderOf } from '../products/view.ts'
import { walkQuery } from './queries.ts'

/** Parameters that only the list page uses, or that would change the response. */
const ignoredParameters = ['columns', 'expand', 'view', 'market']
const defaultSize = 50
/** The maximum page size of the service. */
const largestSize = 500

type Neighbor = { id: number; sku: string; from: string }
export type Neighbors = { place: number; count: number; previous?: Neighbor; next?: Neighbor }

/** The next and previous products in the list that the user came from; undefined if the product is not in it. */
export function useNeighbors(project: number, id: number, from: string | undefined): Neighbors | undefined {
  const search = new URLSearchParams(from)
  const order = orderOf(search.get('search') ?? '', search.get('ordering') ?? '')
  const page = Math.max(1, Number(search.get('page')) || 1)
  const size = Math.min(largestSize, Number(search.get('page_size')) || defaultSize)
  const fromPage = (number: number) => changed(search, { page: number === 1 ? undefined : String(number) })
  const queryOf = (number: number) => {
    const query = changed(search, {
      page: String(number),
      page_size: String(size),
      ordering: order,
    })
    return walkQuery(
      project,
      changed(
        new URLSearchParams(query),
        Object.fromEntries(ignoredParameters.map((name) => [name, undefined])),
      ),
    )
  }
  const { data } = useQuery({ ...queryOf(page), enabled: from !== undefined })
  const index = data?.results.findIndex((one) => one.id === id) ?? -1
  const isFirst = index === 0 && page > 1
  const isLast = index >= 0 && index === (data?.results.length ?? 0) - 1 && data?.next !== null
  const before = useQuery({ ...queryOf(Math.max(1, page - 1)), enabled: isFirst }).data?.results.at(-1)
  const after = useQuery({ ...queryOf(page + 1), enabled: isLast }).data?.results[0]
  if (data === undefined || index < 0) return undefined
  const previous = isFirst ? before : data.results[index - 1]
  const next = isLast ? after : data.results[index + 1]
  return {
    place: (page - 1) * size + index + 1,
    count: data.count,
    ...(previous && { previous: { ...previous, from: fromPage(isFirst ? page - 1 : page) } }),
    ...(next && { next: { ...next, from: fromPage(isLast ? page + 1 : page) } }),
  }
}

function changed(search: URLSearchParams, change: Record<string, string | undefined>): string {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  }
  return String(next)
}
