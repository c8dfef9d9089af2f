import { lazy, Suspense, useSyncExternalStore } from 'react'
import { lazyPart } from '../routes/lazy-page.ts'
import { sessionEnd } from '../session-end.ts'

const SessionEnded = lazy(
  lazyPart(async () => ({ default: (await import('./session-ended.tsx')).SessionEnded })),
)

/** Shown over the page when the session ends. The page keeps its state, and sends pending requests after the sign-in. */
export function SignInAgain() {
  const shown = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.shown)
  if (shown === undefined) return null
  return (
    <Suspense>
      <SessionEnded shown={shown} />
    </Suspense>
  )
}
