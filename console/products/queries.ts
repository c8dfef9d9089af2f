import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { read } from '../network.ts'
import type {
  AttributeDefinition,
  Category,
  Page,
  ProductDetail,
  Prompt,
  QualityRule,
  QualityRules,
} from '../wire.ts'
import { fileColumns, writeColumns } from './columns/column-names.ts'

const of = (project: number) => `/console/api/projects/${project}`
const maxChoices = '20'

/** A page of the list; the rows before it stay until it is there. */
export const productsQuery = (project: number, query: string) =>
  queryOptions({
    queryKey: ['project', project, 'products', query],
    queryFn: ({ signal }) => read<Page<ProductDetail>>(`${of(project)}/products?${query}`, signal),
    placeholderData: (rows, before) => (before?.queryKey[1] === project ? rows : undefined),
    // Back shows the rows that were left, however long the reader was away.
    gcTime: 1_800_000,
  })

/** Columns are those of the list; without them all fields are in the file. */
export function exportAddress(
  project: number,
  filter: string,
  format: 'csv' | 'ndjson',
  columns?: readonly string[],
): string {
  const own = new URLSearchParams({
    format,
    ...(columns && { columns: writeColumns(columns.flatMap(fileColumns)) }),
  })
  return `${of(project)}/products/export?${filter === '' ? '' : `${filter}&`}${own}`
}

/** Some categories with the text in their name: the service searches, for there may be thousands. */
export const categoriesQuery = (project: number, search: string) =>
  queryOptions({
    queryKey: ['project', project, 'categories', search],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ ...(search && { search }), page_size: maxChoices })
      return read<Page<Category>>(`${of(project)}/categories?${query}`, signal)
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

/** By the list, because the detail of a category counts its products. */
export const categoryQuery = (project: number, id: string) =>
  queryOptions({
    queryKey: ['project', project, 'category', id],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ id__in: id, page_size: '1' })
      const { results } = await read<Page<Category>>(`${of(project)}/categories?${query}`, signal)
      return results[0] ?? null
    },
    staleTime: 60_000,
  })

export const promptsQuery = (project: number, search: string) =>
  queryOptions({
    queryKey: ['project', project, 'prompt-choices', search],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({
        ...(search && { search }),
        ordering: 'name',
        page_size: maxChoices,
      })
      return read<Page<Prompt>>(`${of(project)}/prompts?${query}`, signal)
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

export const promptQuery = (project: number, id: string) =>
  queryOptions({
    queryKey: ['project', project, 'prompt-choice', id],
    queryFn: ({ signal }) => read<Prompt>(`${of(project)}/prompts/${encodeURIComponent(id)}`, signal),
    staleTime: 60_000,
  })

export const qualityRulesQuery = (project: number) =>
  queryOptions({
    queryKey: ['project', project, 'quality-rules'],
    queryFn: ({ signal }) => read<QualityRules>(`${of(project)}/quality-rules`, signal),
    staleTime: 60_000,
  })

/** Every rule that products are scored by. */
export function allRules({ rules, added_rules }: QualityRules): QualityRule[] {
  return [...rules, ...added_rules]
}

/** Attributes that the project has defined; others can be typed. */
export const definedAttributesQuery = (project: number) =>
  queryOptions({
    queryKey: ['project', project, 'attribute-definitions'],
    queryFn: ({ signal }) =>
      read<Page<AttributeDefinition>>(`${of(project)}/attributes?page_size=500`, signal),
    staleTime: 60_000,
  })
