import { useSuspenseQuery } from '@tanstack/react-query'
import { sessionQuery } from './queries.ts'
import type { Session } from './wire.ts'

const otherTabs = new BroadcastChannel('session')
type Message = 'signed-in' | 'signed-out'

/** Other tabs share the session, and show pages of it. */
export function notifyOtherTabs(message: Message): void {
  otherTabs.postMessage(message)
}

export function onOtherTabs(acts: Record<Message, () => void>): void {
  otherTabs.onmessage = ({ data }: MessageEvent<Message>) => acts[data]()
}

const hint = 'catalog-signed-in'

/** Whether it is worth to ask who is signed in: the cookie itself is nothing that scripts can read. */
export function mayBeSignedIn(): boolean {
  return localStorage.getItem(hint) !== null
}

export function rememberSignedIn(isSignedIn: boolean): void {
  if (isSignedIn) localStorage.setItem(hint, '1')
  else localStorage.removeItem(hint)
}

/** Who is signed in; only for pages behind the sign-in, whose route has read it. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data
}
