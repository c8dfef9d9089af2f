import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { ProblemError, readCode } from './network.ts'
import { BrokenPage, BrokenStart } from './pages/broken-page.tsx'
import { MissingPage } from './pages/missing-page.tsx'
import { parseSearch, stringifySearch } from './plain-search.ts'
import { readSearch } from './products/view.ts'
import type { LineFilters, ProposalFilters } from './proposals/queries.ts'
import { knownKey, lineStateWords, originWords, outcomeWords, stateWords } from './proposals/words.ts'
import { type RequestState, sessionQuery } from './queries.ts'
import type { Session } from './wire.ts'

type Context = { queries: QueryClient }

// biome-ignore lint/suspicious/noExplicitAny: a module has exports of every type
function lazyPage<Code extends Record<string, any>, Name extends keyof Code>(
  load: () => Promise<Code>,
  name: Name,
) {
  return lazyRouteComponent(() => readCode(load), name)
}

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  errorComponent: BrokenStart,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  // Named even where it is refused: what is left out here would still be read from the address.
  validateSearch: ({ next }: Record<string, unknown>): { next?: string | undefined } => ({
    next: isOwnPath(next) ? next : undefined,
  }),
  component: lazyPage(() => import('./pages/sign-in.tsx'), 'SignInPage'),
})

/** A page of this console: an address of another host could otherwise pose as where to go after sign-in. */
function isOwnPath(next: unknown): next is string {
  return typeof next === 'string' && /^(\/[\w-]+)+\/?(\?[^\\#\s]*)?$/.test(next)
}

const shell = lazyPage(() => import('./shell/app-shell.tsx'), 'AppShell')

/** Everything behind the sign-in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }): Promise<{ session: Session }> => {
    // The frame is fetched while the session is asked for, not after.
    void shell.preload?.()
    try {
      return { session: await context.queries.ensureQueryData(sessionQuery) }
    } catch (error) {
      if (!(error instanceof ProblemError) || error.status !== 401) throw error
      throw redirect({
        to: '/sign-in',
        search: location.pathname === '/' ? {} : { next: location.pathname + location.searchStr },
      })
    }
  },
  component: shell,
  errorComponent: BrokenStart,
})

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

/** 0 where it is no id: not NaN, which differs from itself, so that the page would never be done. */
function readId(text: string): number {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
}

const projectParams = {
  parse: ({ projectId }: { projectId: string }) => ({ projectId: readId(projectId) }),
  stringify: ({ projectId }: { projectId: number }) => ({ projectId: String(projectId) }),
}

const paged = ({ page }: Record<string, unknown>): { page?: number } =>
  Number.isSafeInteger(page) && (page as number) > 1 ? { page: page as number } : {}

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId',
  params: projectParams,
  beforeLoad: ({ context: { session }, params: { projectId } }) => {
    const found = session.projects.find(({ id }) => id === projectId)
    if (found === undefined) throw notFound()
    return { project: found }
  },
  component: Outlet,
  // Named here, or the nearest one is the root's, which has no frame.
  notFoundComponent: MissingPage,
})

const overview = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: lazyPage(() => import('./pages/overview.tsx'), 'OverviewPage'),
})

const products = createRoute({
  getParentRoute: () => project,
  path: '/products',
  validateSearch: readSearch,
  component: lazyPage(() => import('./pages/products.tsx'), 'ProductsPage'),
})

const newProduct = createRoute({
  getParentRoute: () => project,
  path: '/products/new',
  validateSearch: ({ duplicate }: Record<string, unknown>): { duplicate?: number | undefined } => ({
    duplicate: isWholeNumber(duplicate) ? duplicate : undefined,
  }),
  component: lazyPage(() => import('./pages/new-product.tsx'), 'NewProductPage'),
})

type ProductSearch = {
  /** The query string of the list that the reader came from. */
  from?: string | undefined
  view?: 'history' | undefined
  /** Of the history. */
  page?: number | undefined
}

const product = createRoute({
  getParentRoute: () => project,
  path: '/products/$productId',
  params: {
    parse: ({ productId }: { productId: string }) => ({ productId: readId(productId) }),
    stringify: ({ productId }: { productId: number }) => ({ productId: String(productId) }),
  },
  validateSearch: ({ from, view, page }: Record<string, unknown>): ProductSearch => ({
    from: from === undefined ? undefined : String(from),
    view: view === 'history' ? view : undefined,
    page: isWholeNumber(page) && page > 1 ? page : undefined,
  }),
  beforeLoad: ({ params: { productId } }) => {
    if (productId === 0) throw notFound()
  },
  component: lazyPage(() => import('./pages/product.tsx'), 'ProductPage'),
})

function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}

const apiAccess = createRoute({
  getParentRoute: () => project,
  path: '/settings/api-access',
  component: lazyPage(() => import('./pages/api-access.tsx'), 'ApiAccessPage'),
})

const proposals = createRoute({
  getParentRoute: () => project,
  path: '/proposals',
  validateSearch: (search: Record<string, unknown>): ProposalFilters & { page?: number } => {
    const state = knownKey(stateWords, search['state'])
    const origin = knownKey(originWords, search['origin'])
    return { ...paged(search), ...(state && { state }), ...(origin && { origin }) }
  },
  component: lazyPage(() => import('./pages/proposals.tsx'), 'ProposalsPage'),
})

const proposal = createRoute({
  getParentRoute: () => project,
  path: '/proposals/$proposalId',
  params: {
    parse: ({ proposalId }: { proposalId: string }) => ({
      proposalId: /^[1-9]\d{0,14}$/.test(proposalId) ? Number(proposalId) : 0,
    }),
    stringify: ({ proposalId }: { proposalId: number }) => ({ proposalId: String(proposalId) }),
  },
  validateSearch: (search: Record<string, unknown>): LineFilters & { page?: number; few?: boolean } => {
    const state = knownKey(lineStateWords, search['state'])
    const outcome = knownKey(outcomeWords, search['outcome'])
    const few = search['few'] === true
    return { ...paged(search), ...(few && { few }), ...(state && { state }), ...(outcome && { outcome }) }
  },
  beforeLoad: ({ params: { proposalId } }) => {
    if (proposalId === 0) throw notFound()
  },
  component: lazyPage(() => import('./pages/proposal.tsx'), 'ProposalPage'),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyPage(() => import('./pages/account.tsx'), 'AccountPage'),
})

const operator = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator',
  beforeLoad: ({ context: { session } }) => {
    if (!session.user.operator) throw notFound()
  },
  component: Outlet,
  notFoundComponent: MissingPage,
})

const desk = createRoute({
  getParentRoute: () => operator,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/operator/access-requests', replace: true })
  },
})

const requestStates: readonly unknown[] = ['all', 'approved', 'declined']

const accessRequests = createRoute({
  getParentRoute: () => operator,
  path: '/access-requests',
  validateSearch: (search: Record<string, unknown>): { page?: number; state?: RequestState } => ({
    ...paged(search),
    ...(requestStates.includes(search['state']) && { state: search['state'] as RequestState }),
  }),
  component: lazyPage(() => import('./pages/access-requests.tsx'), 'AccessRequestsPage'),
})

const projects = createRoute({
  getParentRoute: () => operator,
  path: '/projects',
  validateSearch: paged,
  component: lazyPage(() => import('./pages/operator-projects.tsx'), 'OperatorProjectsPage'),
})

const operatorProject = createRoute({
  getParentRoute: () => operator,
  path: '/projects/$projectId',
  params: projectParams,
  beforeLoad: ({ params: { projectId } }) => {
    if (projectId === 0) throw notFound()
  },
  component: lazyPage(() => import('./pages/operator-project.tsx'), 'OperatorProjectPage'),
})

const users = createRoute({
  getParentRoute: () => operator,
  path: '/users',
  validateSearch: paged,
  component: lazyPage(() => import('./pages/users.tsx'), 'UsersPage'),
})

const audit = createRoute({
  getParentRoute: () => operator,
  path: '/audit',
  validateSearch: paged,
  component: lazyPage(() => import('./pages/audit.tsx'), 'AuditPage'),
})

/** Any other address; behind the sign-in as well, so that it keeps the frame. */
const unknown = createRoute({ getParentRoute: () => signedIn, path: '$', component: MissingPage })

const routeTree = root.addChildren([
  signIn,
  signedIn.addChildren([
    home,
    project.addChildren([overview, products, newProduct, product, proposals, proposal, apiAccess]),
    account,
    operator.addChildren([desk, accessRequests, projects, operatorProject, users, audit]),
    unknown,
  ]),
])

export function makeRouter(queries: QueryClient) {
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
    router: ReturnType<typeof makeRouter>
  }
}
