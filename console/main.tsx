import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './styles/mantine.css'
import './styles/theme.css'
import './styles/base.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { makeQueryClient } from './query-client.ts'
import { makeRouter } from './router.tsx'
import { whenSignedOutElsewhere } from './session.ts'
import { theme } from './theme.ts'

const queries = makeQueryClient(signInAgain)
const router = makeRouter(queries)
whenSignedOutElsewhere(signInAgain)

/** Nothing of the session that ended stays to be seen. */
async function signInAgain(): Promise<void> {
  if (location.pathname === '/sign-in') return
  await router.navigate({ to: '/sign-in', search: { next: location.pathname } })
  queries.clear()
}

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element "root"')

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Notifications position="bottom-right" autoClose={6000} aria-live="polite" />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
