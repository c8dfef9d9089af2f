import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ProblemError, UnreachableError } from './network.ts'

/** Asks once more where the service did not answer, never where it said no; a session that ended leads to sign-in. */
export function makeQueryClient(signInAgain: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ProblemError && error.status === 401 && error.code === 'not_authenticated')
      signInAgain()
  }
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError: (error) => {
        onError(error)
        // The act may have been done: the page shows what is so.
        if (error instanceof UnreachableError) void queries.invalidateQueries()
      },
    }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
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
