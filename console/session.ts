import { useSuspenseQuery } from '@tanstack/react-query'
import { sessionQuery } from './queries.ts'
import type { Session } from './wire.ts'

const otherTabs = new BroadcastChannel('session')
type Message = 'signed-in' | 'signed-out'

/** Other tabs share the session. */
export function notifyOtherTabs(message: Message): void {
  otherTabs.postMessage(message)
}

export function onOtherTabs(handlers: Record<Message, () => void>): void {
  otherTabs.onmessage = ({ data }: MessageEvent<Message>) => handlers[data]()
}

const hint = 'catalog-signed-in'

/** A hint, because scripts cannot read the session cookie. */
export function mayBeSignedIn(): boolean {
  return localStorage.getItem(hint) !== null
}

export function rememberSignedIn(isSignedIn: boolean): void {
  if (isSignedIn) localStorage.setItem(hint, '1')
  else localStorage.removeItem(hint)
}

/** Only for pages that require a sign-in. Their route has loaded the session. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data
}
