import { MutationCache, QueryClient } from '@tanstack/react-query'
import { ProblemError, UnreachableError } from './network.ts'

const askAgainMilliseconds = 5_000

/** Retries once where the service did not respond, never where it refused. */
export function makeQueryClient(): QueryClient {
  const queries: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      onError: (error) => {
        // The act may have been done: the page shows what is so.
        if (error instanceof UnreachableError) void queries.invalidateQueries()
      },
    }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        // A browser says that it is online before the service can be reached, and says nothing when a service is back.
        refetchInterval: ({ state }) =>
          state.error instanceof UnreachableError ? askAgainMilliseconds : false,
        staleTime: 5_000,
        retry: (failures, error) =>
          failures < 1 && (error instanceof ProblemError ? error.status === 503 : navigator.onLine),
        retryDelay: 800,
      },
      // Sent now or not at all: an act that waits for the network, or is tried again, happens after somebody cancelled it.
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return queries
}
