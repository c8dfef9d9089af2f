// First, so that the rules of our components override Mantine's.
import './styles/all.ts'
import { useMediaQuery } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { signedInQuery } from './queries.ts'
import { createQueryClient } from './query-client.ts'
import { createAppRouter } from './router.tsx'
import { onOtherTabs, rememberSignedIn } from './session.ts'
import { sessionEnd } from './session-end.ts'
import { continueSession } from './sign-in/continue-session.ts'
import { SignInAgain } from './sign-in/sign-in-again.tsx'
import { renderPage } from './theme-provider.tsx'

const queries = createQueryClient()
const router = createAppRouter(queries)
onOtherTabs({ 'signed-in': continueOrJoin, 'signed-out': leaveOrAsk })

/** The invitation page shows the account that signed in. */
async function continueOrJoin(): Promise<void> {
  await continueSession()
  await queries.invalidateQueries({ queryKey: signedInQuery.queryKey })
}

/** Leaves the page after a sign-out in another tab, unless that would lose unsaved input. */
async function leaveOrAsk(): Promise<void> {
  if (location.pathname === '/sign-in') return
  if (hasUnsavedChanges()) return sessionEnd.ask('ended')
  rememberSignedIn(false)
  await router.navigate({ to: '/sign-in', search: { next: location.pathname + location.search } })
  queries.clear()
}

/** The router handles this event for every form with unsaved changes. */
function hasUnsavedChanges(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

/** At the lower left, see styles/base.css. On mobile, the bottom has other bars. */
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
