import { useSuspenseQuery } from '@tanstack/react-query'
import { sessionQuery } from './queries.ts'
import type { Session } from './wire.ts'

const otherTabs = new BroadcastChannel('signed-out')

/** The pages of other tabs are those of somebody who has left. */
export function tellOtherTabs(): void {
  otherTabs.postMessage(null)
}

export function whenSignedOutElsewhere(leave: () => void): void {
  otherTabs.onmessage = leave
}

/** Who is signed in; only for pages behind the sign-in, whose route has read it. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data
}
