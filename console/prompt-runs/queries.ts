import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { isActive, isAllowed } from '../../src/catalog/runs/run-states.ts'
import { read } from '../network.ts'
import { listQuery } from '../queries.ts'
import type { Page, Run, RunCall } from '../wire.ts'
import type { CallsSearch, RunsSearch } from './states.ts'

export const runsPath = (project: number, path = '') => `/console/api/projects/${project}/runs${path}`
/** The common key, so that one call invalidates all run queries. */
export const runsKey = (project: number) => ['project', project, 'runs'] as const

const activeMilliseconds = 2_000
/** Another user may continue a run that waits. */
const waitingMilliseconds = 15_000

/** Fast while the run works, slow while it waits, never after its end. */
function refreshOf({ state }: Pick<Run, 'state'>): number | false {
  if (isActive(state)) return activeMilliseconds
  return isAllowed('cancel', state) ? waitingMilliseconds : false
}

export const runsQuery = (project: number, { page = 1, state }: RunsSearch) =>
  queryOptions({
    queryKey: [...runsKey(project), 'list', state, page],
    queryFn: ({ signal }) => read<Page<Run>>(`${runsPath(project)}?${listQuery({ state }, page)}`, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.results.some((run) => isActive(run.state)) ? activeMilliseconds : waitingMilliseconds,
  })

export const runQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: [...runsKey(project), 'one', id],
    queryFn: ({ signal }) => read<Run>(runsPath(project, `/${id}`), signal),
    refetchInterval: ({ state: { data } }) => (data === undefined ? false : refreshOf(data)),
  })

export type ListedCall = RunCall & { id: number }

/** Read again in every state of the run, because its last calls end with it. */
export const callsQuery = (project: number, run: Run, { page = 1, state }: CallsSearch) =>
  queryOptions({
    queryKey: [...runsKey(project), 'calls', run.id, state, page, run.state],
    queryFn: async ({ signal }): Promise<Page<ListedCall>> => {
      const path = runsPath(project, `/${run.id}/calls?${listQuery({ state }, page)}`)
      const found = await read<Page<RunCall>>(path, signal)
      return { ...found, results: found.results.map((call) => ({ ...call, id: call.product_id })) }
    },
    placeholderData: keepPreviousData,
    refetchInterval: isActive(run.state) ? activeMilliseconds : false,
  })
