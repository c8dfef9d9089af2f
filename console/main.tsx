import { useMediaQuery } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { makeQueryClient } from './query-client.ts'
import { makeRouter } from './router.tsx'
import { onOtherTabs, rememberSignedIn } from './session.ts'
import { sessionEnd } from './session-end.ts'
import { continueSession, SignInAgain } from './sign-in/sign-in-again.tsx'
import { renderPage } from './theme-provider.tsx'

const queries = makeQueryClient()
const router = makeRouter(queries)
onOtherTabs({ 'signed-in': continueSession, 'signed-out': leaveOrAsk })

/** Hides everything of the session that ended, unless that would lose what the user entered. */
async function leaveOrAsk(): Promise<void> {
  if (location.pathname === '/sign-in') return
  if (hasUnsavedChanges()) return sessionEnd.ask('ended')
  rememberSignedIn(false)
  await router.navigate({ to: '/sign-in', search: { next: location.pathname + location.search } })
  queries.clear()
}

/** The router answers for every form of the page that asks before it is left. */
function hasUnsavedChanges(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

/** At the lower left, where styles/base.css finds room for them. Mobile has bars below. */
function Messages() {
  const position = useMediaQuery('(max-width: 600px)') ? 'top-center' : 'bottom-left'
  return <Notifications position={position} autoClose={6000} aria-live="polite" />
}

renderPage(
  <QueryClientProvider client={queries}>
    <SignInAgain />
    <RouterProvider router={router} />
    <Messages />
  </QueryClientProvider>,
)
