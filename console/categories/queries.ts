import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { read } from '../network.ts'
import { pageSize } from '../queries.ts'
import type { CategoryDetail, ListedCategory, Page } from '../wire.ts'

const path = (project: number) => `/console/api/projects/${project}/categories`
const key = (project: number) => ['project', project, 'category-tree'] as const

/** The parent ID of top-level categories. */
export const root = 0
export const levelSize = 100

/** A page of direct subcategories, in tree order. */
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
    // Keeps the old level while it is refetched, so that rows do not jump.
    staleTime: 30_000,
  })

const counted = { ordering: 'position,natural_name', expand: 'subtree_counts' }

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

/** Null if it does not exist. */
export const shownCategoryQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: [...key(project), 'shown', id],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ id__in: String(id), expand: 'counts', page_size: '1' })
      const { results } = await read<Page<ListedCategory>>(`${path(project)}?${query}`, signal)
      return results[0] ?? null
    },
  })

/** Products in the category or its subcategories. A separate query, because it can be slow. */
export const productsUnderQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: [...key(project), 'under', id],
    queryFn: async ({ signal }) =>
      (await read<CategoryDetail>(`${path(project)}/${id}`, signal)).products_under,
    staleTime: 60_000,
  })

/** Refetches after a change, because many pages show names, paths and counts. */
export function readTreeAgain(queries: QueryClient, project: number): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ queryKey: [kind, of, what] }) =>
      kind === 'project' && of === project && typeof what === 'string' && /^(categor|product)/.test(what),
  })
}
