import { queryOptions } from '@tanstack/react-query'
import { read } from '../network.ts'
import { fewAtOnce } from '../parts/few-at-once.ts'
import type { Page, SavedView } from '../wire.ts'

const of = (project: number) => `/console/api/projects/${project}`

/** The reader's own, all of them. */
export const savedViewsQuery = (project: number) =>
  queryOptions({
    queryKey: ['project', project, 'views'],
    queryFn: async ({ signal }) =>
      (await read<{ results: SavedView[] }>(`${of(project)}/views`, signal)).results,
    staleTime: 60_000,
  })

/** There may be 50 views, and a count may look at very many products. */
const inTurn = fewAtOnce(3)

/** How many products a view shows now. */
export const viewCountQuery = (project: number, filter: string) =>
  queryOptions({
    queryKey: ['project', project, 'view-count', filter],
    queryFn: ({ signal }) =>
      inTurn(async () => {
        signal.throwIfAborted()
        const query = `${filter}${filter === '' ? '' : '&'}page_size=1`
        return (await read<Page<unknown>>(`${of(project)}/products?${query}`, signal)).count
      }),
    // Counted anew whenever the menu is opened.
    staleTime: 0,
    retry: false,
  })
