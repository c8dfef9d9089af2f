import { useSuspenseQuery } from '@tanstack/react-query'
import { sessionQuery } from './queries.ts'
import type { Session } from './wire.ts'

/** Who is signed in; only for pages behind the sign-in, whose route has read it. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data
}
