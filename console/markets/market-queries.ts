import { queryOptions } from '@tanstack/react-query'
import { viewLimits } from '../../src/model/limits/views.ts'
import { ProblemError, read } from '../network.ts'
import type { Market, MarketProgress, Page } from '../wire.ts'

export const marketsPath = (project: number, path = '') => `/console/api/projects/${project}/views${path}`

/** All languages and markets of a project. One page holds the maximum number. */
export const marketsQuery = (project: number) =>
  queryOptions({
    queryKey: ['project', project, 'markets'],
    queryFn: async ({ signal }) =>
      (await read<Page<Market>>(marketsPath(project, `?page_size=${viewLimits.views}`), signal)).results,
    staleTime: 60_000,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ marked }) => marked !== null) === true ? 3_000 : false,
  })

const isMarking = (error: Error | null) => error instanceof ProblemError && error.code === 'view_marking'

/** Asks again while the service checks products against changed languages and markets. */
export function refetchWhileMarking({
  state: { error },
}: {
  state: { error: Error | null }
}): number | false {
  return isMarking(error) ? 3_000 : false
}

/** How many products have all required values. Counting is expensive with many products. */
export const marketProgressQuery = (project: number, code: string) =>
  queryOptions({
    queryKey: ['project', project, 'overview', 'market-progress', code],
    queryFn: ({ signal }) =>
      read<MarketProgress>(marketsPath(project, `/${encodeURIComponent(code)}/progress`), signal),
    staleTime: 60_000,
    retry: (count, error) => !isMarking(error) && count < 2,
    refetchInterval: refetchWhileMarking,
  })
