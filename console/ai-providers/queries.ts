import { queryOptions } from '@tanstack/react-query'
import { read } from '../network.ts'
import type { AiProvider, Page, RunModels } from '../wire.ts'

const of = (project: number) => `/console/api/projects/${project}`
export const providersPath = (project: number, path = '') => `${of(project)}/ai-providers${path}`
/** The common key, so that one call invalidates the list and the models. */
export const providersKey = (project: number) => ['project', project, 'ai-providers']

/** All providers: a project never has more than one page. */
export const providersQuery = (project: number) =>
  queryOptions({
    queryKey: [...providersKey(project), 'list'],
    queryFn: ({ signal }) => read<Page<AiProvider>>(`${providersPath(project)}?page_size=100`, signal),
  })

/** The models of all providers, for editors too. */
export const runModelsQuery = (project: number) =>
  queryOptions({
    queryKey: [...providersKey(project), 'models'],
    queryFn: async ({ signal }) => (await read<RunModels>(`${of(project)}/run-models`, signal)).results,
  })
