import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { ProblemError } from '../network.ts'
import { BrokenStart } from '../pages/broken-page.tsx'
import { sessionQuery } from '../queries.ts'
import { noteSignedIn } from '../session.ts'
import { AppShell } from '../shell/app-shell.tsx'
import type { Session } from '../wire.ts'

type Context = { queries: QueryClient }

export const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  errorComponent: BrokenStart,
})

/** Everything behind the sign-in. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }): Promise<{ session: Session }> => {
    try {
      const session = await context.queries.ensureQueryData(sessionQuery)
      noteSignedIn(true)
      return { session }
    } catch (error) {
      if (!(error instanceof ProblemError) || error.status !== 401) throw error
      noteSignedIn(false)
      throw redirect({
        to: '/sign-in',
        search: location.pathname === '/' ? {} : { next: location.pathname + location.searchStr },
      })
    }
  },
  component: AppShell,
  errorComponent: BrokenStart,
})
