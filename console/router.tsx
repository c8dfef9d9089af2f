import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { BrokenPage } from './pages/broken-page.tsx'
import { MissingPage } from './pages/missing-page.tsx'
import { parseSearch, stringifySearch } from './plain-search.ts'
import { sessionQuery, signedInQuery } from './queries.ts'
import { lazyPage } from './routes/lazy-page.ts'
import { operatorRoutes } from './routes/operator-routes.tsx'
import { projectRoutes } from './routes/project-routes.ts'
import { rootRoute, signedIn } from './routes/signed-in.tsx'
import { mayBeSignedIn, rememberSignedIn } from './session.ts'
import { sessionEnd } from './session-end.ts'
import { doneElsewhere } from './sign-in/done-elsewhere.ts'

/** `ended`: the session ended. Not set on a first visit or after a sign-out. */
type SignInSearch = {
  next?: string | undefined
  ended?: true | undefined
  /** Why a sign-in with a company account failed. */
  problem?: string | undefined
  /** The company account is proven, the second factor is missing. */
  step?: 'second-factor' | undefined
}

const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  // All keys are always set: the router would keep omitted ones from the URL.
  validateSearch: ({ next, ended, problem, step }: Record<string, unknown>): SignInSearch => ({
    next: isOwnPath(next) ? next : undefined,
    ended: ended === true ? true : undefined,
    problem: typeof problem === 'string' ? problem : undefined,
    step: step === 'second-factor' ? step : undefined,
  }),
  beforeLoad: async ({ context: { queries }, search: { next = '/' } }) => {
    sessionEnd.forget()
    if (!mayBeSignedIn()) return
    const state = await queries.fetchQuery(signedInQuery).catch(() => undefined)
    if (state?.signed_in === true) throw redirect({ href: next, replace: true })
    rememberSignedIn(false)
  },
  component: lazyPage(() => import('./sign-in/sign-in-page.tsx'), 'SignInPage'),
})

/** The hash of the URL is the secret of the invitation. */
const invitation = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyPage(() => import('./sign-in/invitation-page.tsx'), 'InvitationPage'),
})

/** For users whose role requires a second factor, before any other page. */
const setUpSecondFactor = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-up-second-factor',
  validateSearch: ({ next }: Record<string, unknown>): { next?: string | undefined } => ({
    next: isOwnPath(next) ? next : undefined,
  }),
  beforeLoad: async ({ context: { queries }, search: { next = '/' } }) => {
    const session = await queries.fetchQuery(sessionQuery).catch(() => undefined)
    if (session === undefined) throw redirect({ to: '/sign-in', search: { next } })
    if (!session.user.lacks_second_factor) throw redirect({ href: next, replace: true })
  },
  component: lazyPage(() => import('./account/set-up-page.tsx'), 'SetUpPage'),
})

/** Where a sign-in for another tab ends. */
const signedInElsewhere = createRoute({
  getParentRoute: () => rootRoute,
  path: doneElsewhere,
  component: lazyPage(() => import('./sign-in/done-elsewhere-page.tsx'), 'DoneElsewherePage'),
})

/** Only paths of this console, to prevent open redirects after sign-in. */
function isOwnPath(next: unknown): next is string {
  return typeof next === 'string' && /^(\/[\w-]+)+\/?(\?[^\\#\s]*)?$/.test(next)
}

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context: { session } }) => {
    const [first] = session.projects
    if (session.user.operator) throw redirect({ to: '/operator/access-requests', replace: true })
    if (first !== undefined)
      throw redirect({ to: '/projects/$projectId', params: { projectId: first.id }, replace: true })
  },
  component: lazyPage(() => import('./pages/no-projects.tsx'), 'NoProjectsPage'),
})

/** The result of linking a company account. */
type AccountSearch = { linked?: true | undefined; problem?: string | undefined }

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  validateSearch: ({ linked, problem }: Record<string, unknown>): AccountSearch => ({
    linked: linked === true ? true : undefined,
    problem: typeof problem === 'string' ? problem : undefined,
  }),
  component: lazyPage(() => import('./account/account-page.tsx'), 'AccountPage'),
})

/** Unknown URLs. They also require a sign-in, so that the page has the navigation. */
const unknown = createRoute({ getParentRoute: () => signedIn, path: '$', component: MissingPage })

const routeTree = rootRoute.addChildren([
  signIn,
  invitation,
  setUpSecondFactor,
  signedInElsewhere,
  signedIn.addChildren([home, projectRoutes, account, operatorRoutes, unknown]),
])

export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    defaultPreload: 'intent',
    defaultNotFoundComponent: MissingPage,
    defaultErrorComponent: BrokenPage,
    scrollRestoration: true,
    parseSearch,
    stringifySearch,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
