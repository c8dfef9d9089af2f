import { queryOptions } from '@tanstack/react-query'
import { read } from '../network.ts'
import { limitConcurrency } from '../parts/concurrency.ts'
import type { Page, SavedView } from '../wire.ts'

const of = (project: number) => `/console/api/projects/${project}`

/** The user's own views and shared ones. */
export const savedViewsQuery = (project: number) =>
  queryOptions({
    queryKey: ['project', project, 'views'],
    queryFn: async ({ signal }) =>
      (await read<{ results: SavedView[] }>(`${of(project)}/saved-views`, signal)).results,
    staleTime: 60_000,
  })

/** There can be 50 views, and each count can be expensive. */
const inTurn = limitConcurrency(3)

/** The current number of products in a view. */
export const viewCountQuery = (project: number, filter: string) =>
  queryOptions({
    queryKey: ['project', project, 'view-count', filter],
    queryFn: ({ signal }) =>
      inTurn(async () => {
        signal.throwIfAborted()
        const query = `${filter}${filter === '' ? '' : '&'}page_size=1`
        return (await read<Page<unknown>>(`${of(project)}/products?${query}`, signal)).count
      }),
    // Refetched whenever the menu is opened.
    staleTime: 0,
    retry: false,
  })
