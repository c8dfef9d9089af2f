import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { read, write } from '../network.ts'
import { queryText } from '../plain-search.ts'
import { pageSize } from '../queries.ts'
import type {
  LatestVersion,
  Outcome,
  Page,
  Product,
  Prompt,
  PromptLabelMove,
  PromptVersionDetail,
  RenderedPrompt,
  RenderRequest,
  VersionSummary,
} from '../wire.ts'
import type { PromptsSearch } from './search-params.ts'

const of = (project: number) => `/console/api/projects/${project}`
const one = (project: number, id: number) => `${of(project)}/prompts/${id}`
/** The key of all prompt queries, to invalidate them together. */
export const promptsKey = (project: number) => ['project', project, 'prompts'] as const

export type ListedPrompt = Prompt & { latest: LatestVersion | undefined }

/** A page of prompts, each with the author of its latest version. */
export const promptsPageQuery = (
  project: number,
  { page = 1, search, ordering = '-updated_at' }: PromptsSearch,
) =>
  queryOptions({
    queryKey: [...promptsKey(project), 'list', page, search, ordering],
    queryFn: async ({ signal }): Promise<Page<ListedPrompt>> => {
      const query = paged(page, { ...(search && { search }), ordering })
      const found = await read<Page<Prompt>>(`${of(project)}/prompts?${query}`, signal)
      const ids = found.results.map(({ id }) => id).join(',')
      const latest = await read<{ results: LatestVersion[] }>(
        `${of(project)}/latest-prompt-versions${ids && `?prompt__in=${ids}`}`,
        signal,
      )
      const byPrompt = new Map(latest.results.map((version) => [version.prompt, version]))
      return { ...found, results: found.results.map((row) => ({ ...row, latest: byPrompt.get(row.id) })) }
    },
    placeholderData: keepPreviousData,
  })

export const promptQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: [...promptsKey(project), 'one', id],
    queryFn: ({ signal }) => read<Prompt>(one(project, id), signal),
  })

/** A version never changes. */
export const versionQuery = (project: number, id: number, number: string) =>
  queryOptions({
    queryKey: ['project', project, 'prompt-version', id, number],
    queryFn: ({ signal }) => read<PromptVersionDetail>(`${one(project, id)}/versions/${number}`, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const versionsQuery = (project: number, id: number, page: number, size = pageSize) =>
  queryOptions({
    queryKey: [...promptsKey(project), 'versions', id, page, size],
    queryFn: ({ signal }) =>
      read<Page<VersionSummary>>(`${one(project, id)}/version-summaries?${paged(page, {}, size)}`, signal),
    placeholderData: keepPreviousData,
  })

export const labelMovesQuery = (project: number, id: number, label: string | undefined, page: number) =>
  queryOptions({
    queryKey: [...promptsKey(project), 'label-moves', id, label, page],
    queryFn: ({ signal }) =>
      read<Page<PromptLabelMove>>(
        `${one(project, id)}/label-moves?${paged(page, label ? { label } : {})}`,
        signal,
      ),
    placeholderData: keepPreviousData,
  })

export const outcomesQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: [...promptsKey(project), 'outcomes', id],
    queryFn: ({ signal }) =>
      read<{ count: number; results: Outcome[] }>(`${one(project, id)}/outcomes`, signal),
  })

/** A POST that changes nothing. Responses can be long, so none is cached. */
export const renderQuery = (project: number, id: number, body: RenderRequest) =>
  queryOptions({
    queryKey: [...promptsKey(project), 'render', id, body],
    queryFn: () => write<RenderedPrompt>('POST', `${one(project, id)}/render`, body),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })

export const productChoicesQuery = (project: number, search: string) =>
  queryOptions({
    queryKey: ['project', project, 'product-choices', search],
    queryFn: ({ signal }) =>
      read<Page<Product>>(`${of(project)}/products?${paged(1, search ? { search } : {})}`, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

function paged(page: number, filters: Record<string, string>, size = pageSize): string {
  return queryText(Object.entries({ ...filters, page: String(page), page_size: String(size) }))
}
