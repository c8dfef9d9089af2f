import { createRoute, notFound, Outlet, redirect } from '@tanstack/react-router'
import {
  type AuditView,
  auditNouns,
  type ProjectsView,
  projectOrders,
  type TokensView,
  type UsersView,
  userKinds,
  type WebhooksView,
} from '../operator/lists.ts'
import { MissingPage } from '../pages/missing-page.tsx'
import type { RequestState } from '../queries.ts'
import { idParams } from './id-param.ts'
import { lazyPage } from './lazy-page.ts'
import { isWholeNumber, oneOf, only, paged, searched } from './read-url.ts'
import { signedIn } from './signed-in.tsx'

const operator = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator',
  beforeLoad: ({ context: { session } }) => {
    if (!session.user.operator) throw notFound()
  },
  component: Outlet,
  notFoundComponent: MissingPage,
})

const adminHome = createRoute({
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
  validateSearch: (search: Record<string, unknown>): { page?: number; state?: RequestState } =>
    only(search, {
      ...paged(search),
      ...(requestStates.includes(search['state']) && { state: search['state'] as RequestState }),
    }),
  component: lazyPage(() => import('../operator/access-requests-page.tsx'), 'AccessRequestsPage'),
})

const projects = createRoute({
  getParentRoute: () => operator,
  path: '/projects',
  validateSearch: (search: Record<string, unknown>): ProjectsView => {
    const ordering = oneOf(projectOrders, search['ordering'])
    return only(search, { ...searched(search), ...(ordering && { ordering }) })
  },
  component: lazyPage(() => import('../operator/projects-page.tsx'), 'OperatorProjectsPage'),
})

const operatorProject = createRoute({
  getParentRoute: () => operator,
  path: '/projects/$projectId',
  params: idParams('projectId'),
  validateSearch: (search: Record<string, unknown>): TokensView => {
    const state = oneOf(['valid', 'ended'] as const, search['state'])
    return only(search, { ...searched(search), ...(state && { state }) })
  },
  beforeLoad: ({ params: { projectId } }) => {
    if (projectId === 0) throw notFound()
  },
  component: lazyPage(() => import('../operator/project-page.tsx'), 'OperatorProjectPage'),
})

const users = createRoute({
  getParentRoute: () => operator,
  path: '/users',
  validateSearch: (search: Record<string, unknown>): UsersView => {
    const kind = oneOf(userKinds, search['kind'])
    return only(search, { ...searched(search), ...(kind && { kind }) })
  },
  component: lazyPage(() => import('../operator/users-page.tsx'), 'UsersPage'),
})

const audit = createRoute({
  getParentRoute: () => operator,
  path: '/audit',
  validateSearch: (search: Record<string, unknown>): AuditView => {
    const noun = oneOf(auditNouns, search['noun'])
    const project = isWholeNumber(search['project']) ? search['project'] : undefined
    return only(search, { ...searched(search), ...(noun && { noun }), ...(project && { project }) })
  },
  component: lazyPage(() => import('../operator/audit-page.tsx'), 'AuditPage'),
})

const webhooks = createRoute({
  getParentRoute: () => operator,
  path: '/webhooks',
  validateSearch: (search: Record<string, unknown>): WebhooksView => {
    const state = oneOf(['failing', 'disabled'] as const, search['state'])
    return only(search, { ...paged(search), ...(state && { state }) })
  },
  component: lazyPage(() => import('../operator/webhooks-page.tsx'), 'OperatorWebhooksPage'),
})

/** The admin area. */
export const operatorRoutes = operator.addChildren([
  adminHome,
  accessRequests,
  projects,
  operatorProject,
  users,
  audit,
  webhooks,
])
