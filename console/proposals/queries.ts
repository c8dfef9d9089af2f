import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { read } from '../network.ts'
import { listQuery } from '../queries.ts'
import type { Page, Proposal, ProposalLine } from '../wire.ts'
import type { LineState, Origin, Outcome, ProposalState } from './states.ts'

export type ProposalFilters = { state?: ProposalState; origin?: Origin }
export type LineFilters = { state?: LineState; outcome?: Outcome }

const path = (project: number) => `/console/api/projects/${project}/proposals`
/** The common query key, so that one call invalidates all proposal queries. */
export const proposalsKey = (project: number) => ['project', project, 'proposals'] as const

export const proposalsQuery = (project: number, filters: ProposalFilters, page: number) =>
  queryOptions({
    queryKey: [...proposalsKey(project), 'list', filters, page],
    queryFn: ({ signal }) => {
      const query = listQuery({ ...filters, ordering: '-created_at' }, page)
      return read<Page<Proposal>>(`${path(project)}?${query}`, signal)
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.results.some(isMoving) ? 3_000 : false),
  })

/** The number of open proposals, and the newest one. */
export const openProposalsQuery = (project: number) =>
  queryOptions({
    queryKey: [...proposalsKey(project), 'open'],
    queryFn: async ({ signal }) => {
      const query = listQuery({ state: 'open', ordering: '-created_at' }, 1, 1)
      const { count, results } = await read<Page<Proposal>>(`${path(project)}?${query}`, signal)
      return { count, newest: results[0] }
    },
    staleTime: 30_000,
  })

export const proposalQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: [...proposalsKey(project), 'one', id],
    queryFn: ({ signal }) => read<Proposal>(`${path(project)}/${id}`, signal),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isMoving(data) ? 1_000 : false),
  })

/** Lines per page. A response is at most 8 MiB. */
export const linesShown = { usual: 20, few: 2 }

export const linesQuery = (
  project: number,
  id: number,
  filters: LineFilters,
  { page, size, revision, isFlaggedFirst = false }: LinePage,
) =>
  queryOptions({
    // With the revision, so that the lines on the page are never older than the revision that the console applies.
    queryKey: [...proposalsKey(project), 'lines', id, filters, page, size, revision],
    queryFn: ({ signal }) => {
      const query = listQuery({ ...filters, ...(isFlaggedFirst && { ordering: 'flagged' }) }, page, size)
      return read<Page<ProposalLine>>(`${path(project)}/${id}/lines?${query}`, signal)
    },
    placeholderData: keepPreviousData,
  })

type LinePage = { page: number; size: number; revision: number; isFlaggedFirst?: boolean }

/** The number of open lines that create or change a product. */
export const openOutcomesQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: [...proposalsKey(project), 'open-outcomes', id],
    queryFn: async ({ signal }) => {
      const count = async (outcome: Outcome) => {
        const query = listQuery({ state: 'open', outcome }, 1, 1)
        return (await read<Page<ProposalLine>>(`${path(project)}/${id}/lines?${query}`, signal)).count
      }
      const [created, updated] = await Promise.all([count('created'), count('updated')])
      return { created, updated }
    },
  })

/** Whether the proposal is being prepared or applied. */
export function isMoving({ state }: Proposal): boolean {
  return state === 'preparing' || state === 'applying'
}
