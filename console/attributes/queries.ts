import { queryOptions } from '@tanstack/react-query'
import { read, write } from '../network.ts'
import type { AttributeDefinition, AttributePreview, AttributeSuggestions, Category, Page } from '../wire.ts'

const path = (project: number) => `/console/api/projects/${project}`

/** Attributes found in up to 20,000 products. Expensive, so cached for longer. */
export const seenAttributesQuery = (project: number) =>
  queryOptions({
    queryKey: ['project', project, 'seen-attributes'],
    queryFn: ({ signal }) =>
      read<AttributeSuggestions>(`${path(project)}/attribute-suggestions?all=true`, signal),
    staleTime: 300_000,
  })

/** The products that violate a definition. */
export const invalidProductsQuery = (project: number, definition: AttributeDefinition) =>
  queryOptions({
    queryKey: ['project', project, 'invalid', definition],
    queryFn: () => previewDefinition(project, definition),
    retry: false,
  })

export const previewDefinition = (project: number, definition: AttributeDefinition) =>
  write<AttributePreview>('POST', `${path(project)}/attributes/preview`, definition)

const maxNamed = 100

/** The names of the categories that a definition or rule applies to. */
export const namedCategoriesQuery = (project: number, ids: readonly number[]) =>
  queryOptions({
    queryKey: ['project', project, 'categories-named', ids],
    queryFn: async ({ signal }) => {
      if (ids.length === 0) return []
      const query = new URLSearchParams({
        id__in: ids.slice(0, maxNamed).join(),
        page_size: String(maxNamed),
      })
      return (await read<Page<Category>>(`${path(project)}/categories?${query}`, signal)).results
    },
    staleTime: 60_000,
  })
