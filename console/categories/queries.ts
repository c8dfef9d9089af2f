import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { read } from '../network.ts'
import { pageSize } from '../queries.ts'
import type { CategoryDetail, ListedCategory, Page } from '../wire.ts'

const path = (project: number) => `/console/api/projects/${project}/categories`
const key = (project: number) => ['project', project, 'category-tree'] as const

/** The parent of those at the root. */
export const root = 0
export const levelSize = 100

/** Some of the categories right below one, in the order of the tree. */
export const levelQuery = (project: number, parent: number, page: number) =>
  queryOptions({
    queryKey: [...key(project), 'level', parent, page],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({
        ...(parent === root ? { parent__isnull: 'true' } : { parent: String(parent) }),
        ...counted,
        page: String(page),
        page_size: String(levelSize),
      })
      return read<Page<ListedCategory>>(`${path(project)}?${query}`, signal)
    },
    // A level stays while it is read again, so that no row jumps.
    staleTime: 30_000,
  })

const counted = { ordering: 'position,name', expand: 'counts' }

export const foundCategoriesQuery = (project: number, search: string, page: number) =>
  queryOptions({
    queryKey: [...key(project), 'found', search, page],
    queryFn: ({ signal }) => {
      const sizes = { page: String(page), page_size: String(pageSize) }
      return read<Page<ListedCategory>>(
        `${path(project)}?${new URLSearchParams({ search, ...counted, ...sizes })}`,
        signal,
      )
    },
    placeholderData: keepPreviousData,
  })

/** Null where there is none, or none any more. */
export const shownCategoryQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: [...key(project), 'shown', id],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ id__in: String(id), expand: 'counts', page_size: '1' })
      const { results } = await read<Page<ListedCategory>>(`${path(project)}?${query}`, signal)
      return results[0] ?? null
    },
  })

/** How many products have the category or one below it: apart, for it may take longer than the rest. */
export const productsUnderQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: [...key(project), 'under', id],
    queryFn: async ({ signal }) =>
      (await read<CategoryDetail>(`${path(project)}/${id}`, signal)).products_under,
    staleTime: 60_000,
  })

/** After a change of the tree: names, paths and counts are shown on many pages. */
export function readTreeAgain(queries: QueryClient, project: number): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ queryKey: [kind, of, what] }) =>
      kind === 'project' && of === project && typeof what === 'string' && /^(categor|product)/.test(what),
  })
}
