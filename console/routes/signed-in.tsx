import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { ProblemError } from '../network.ts'
import { BrokenStart } from '../pages/broken-page.tsx'
import { sessionQuery, signedInQuery } from '../queries.ts'
import { mayBeSignedIn, rememberSignedIn } from '../session.ts'
import { sessionEnd } from '../session-end.ts'
import { AppShell } from '../shell/app-shell.tsx'
import type { Session } from '../wire.ts'

type Context = { queries: QueryClient }

export const rootRoute = createRootRouteWithContext<Context>()({
  component: Outlet,
  errorComponent: BrokenStart,
})

/** All pages that require a sign-in. */
export const signedIn = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location, preload }): Promise<{ session: Session }> => {
    const wasSignedIn = mayBeSignedIn()
    const session = await findSession(context.queries, wasSignedIn)
    // A page that is loaded ahead may still know a session that a sign-out is ending.
    if (!preload) rememberSignedIn(session !== undefined)
    const next = location.pathname === '/' ? undefined : location.pathname + location.searchStr
    if (session?.user.lacks_second_factor) throw redirect({ to: '/set-up-second-factor', search: { next } })
    if (session !== undefined) {
      sessionEnd.openedBy(session.user)
      return { session }
    }
    throw redirect({ to: '/sign-in', search: { next, ended: wasSignedIn || undefined } })
  },
  component: AppShell,
  errorComponent: BrokenStart,
})

/** A first visit uses a query that never returns 401, because browsers log each 401 as an error. */
async function findSession(queries: QueryClient, wasSignedIn: boolean): Promise<Session | undefined> {
  try {
    const known = queries.getQueryData(sessionQuery.queryKey)
    if (known === undefined && !wasSignedIn && !(await queries.fetchQuery(signedInQuery)).signed_in)
      return undefined
    return await queries.ensureQueryData(sessionQuery)
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return undefined
    throw error
  }
}
