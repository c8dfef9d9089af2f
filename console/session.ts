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

const hint = 'catalog-signed-in'

/** Whether it is worth to ask who is signed in: the cookie itself is nothing that scripts can read. */
export function mayBeSignedIn(): boolean {
  return localStorage.getItem(hint) !== null
}

export function noteSignedIn(isSignedIn: boolean): void {
  if (isSignedIn) localStorage.setItem(hint, '1')
  else localStorage.removeItem(hint)
}

/** Who is signed in; only for pages behind the sign-in, whose route has read it. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data
}
