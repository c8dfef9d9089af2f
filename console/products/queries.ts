import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { read } from '../network.ts'
import type { AttributeDefinition, Category, Page, Prompt, QualityRule, QualityRules } from '../wire.ts'

const of = (project: number) => `/console/api/projects/${project}`
const maxChoices = '20'

/** Categories whose name contains the text. The service searches, because there can be thousands. */
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

/** Reads the list, because the category detail counts products. */
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

export const promptChoiceQuery = (project: number, id: string) =>
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

/** All rules of the score. */
export function allRules({ rules, added_rules }: QualityRules): QualityRule[] {
  return [...rules, ...added_rules]
}

/** The project's attribute definitions. */
export const definedAttributesQuery = (project: number) =>
  queryOptions({
    queryKey: ['project', project, 'attribute-definitions'],
    queryFn: ({ signal }) =>
      read<Page<AttributeDefinition>>(`${of(project)}/attributes?page_size=500`, signal),
    staleTime: 60_000,
  })
