import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { leaveLostProject } from './lost-project.ts'
import { ProblemError, UnreachableError } from './network.ts'

const retryMilliseconds = 5_000

/** Retries once if the service did not respond, and never after an error response. */
export function createQueryClient(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => void leaveLostProject(queries, error) }),
    mutationCache: new MutationCache({
      onError: (error) => {
        void leaveLostProject(queries, error)
        // The change may have been saved, so refetch.
        if (error instanceof UnreachableError) void queries.invalidateQueries()
      },
    }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        // The browser's online event does not mean that the service is reachable.
        refetchInterval: ({ state }) => (state.error instanceof UnreachableError ? retryMilliseconds : false),
        staleTime: 5_000,
        retry: (failures, error) =>
          failures < 1 && (error instanceof ProblemError ? error.status === 503 : navigator.onLine),
        retryDelay: 800,
      },
      // No queue and no retries: a late write could happen after the user canceled it.
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return queries
}
