import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ProblemError } from './network.ts'

/** Asks once more where the service did not answer, never where it said no; a session that ended leads to sign-in. */
export function makeQueryClient(signInAgain: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ProblemError && error.status === 401 && error.code === 'not_authenticated')
      signInAgain()
  }
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) =>
          failures < 1 && (!(error instanceof ProblemError) || error.status === 503),
        retryDelay: 800,
      },
    },
  })
  return queries
}
