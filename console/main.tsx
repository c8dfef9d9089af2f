import { useMediaQuery } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { show } from './look.tsx'
import { makeQueryClient } from './query-client.ts'
import { makeRouter } from './router.tsx'
import { noteSignedIn, whenSignedOutElsewhere } from './session.ts'

const queries = makeQueryClient(signInAgain)
const router = makeRouter(queries)
whenSignedOutElsewhere(signInAgain)

/** Nothing of the session that ended stays to be seen. */
async function signInAgain(): Promise<void> {
  if (location.pathname === '/sign-in') return
  noteSignedIn(false)
  await router.navigate({ to: '/sign-in', search: { next: location.pathname + location.search } })
  // A page with unsaved changes asks first, and may stay.
  if (location.pathname === '/sign-in') queries.clear()
}

/** On a desk below the navigation: buttons of dialogs and bars stand to the right, tabs and searches above. A telephone has bars below. */
function Messages() {
  const position = useMediaQuery('(max-width: 600px)') ? 'top-center' : 'bottom-left'
  return <Notifications position={position} autoClose={6000} aria-live="polite" />
}

show(
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
    <Messages />
  </QueryClientProvider>,
)
