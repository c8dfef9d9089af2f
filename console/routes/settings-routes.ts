import { createRoute } from '@tanstack/react-router'
import type { MembersView } from '../members/queries.ts'
import type { AttemptsView } from '../webhooks/attempts-card.tsx'
import { idParams, requireId } from './id-param.ts'
import { lazyPage } from './lazy-page.ts'
import { project } from './project-route.tsx'
import { only, paged, searched } from './read-url.ts'

const apiAccess = createRoute({
  getParentRoute: () => project,
  path: '/settings/api-access',
  // Opens the dialog when the page loads.
  validateSearch: ({ act }: Record<string, unknown>): { act?: 'new-token' | undefined } => ({
    act: act === 'new-token' ? act : undefined,
  }),
  component: lazyPage(() => import('../api-access/api-access-page.tsx'), 'ApiAccessPage'),
})

const agents = createRoute({
  getParentRoute: () => project,
  path: '/settings/agents',
  component: lazyPage(() => import('../agents/agents-page.tsx'), 'AgentsPage'),
})

const members = createRoute({
  getParentRoute: () => project,
  path: '/settings/members',
  validateSearch: (search: Record<string, unknown>): MembersView => only(search, searched(search)),
  component: lazyPage(() => import('../members/members-page.tsx'), 'MembersPage'),
})

const markets = createRoute({
  getParentRoute: () => project,
  path: '/settings/markets',
  component: lazyPage(() => import('../markets/markets-page.tsx'), 'MarketsPage'),
})

const webhooks = createRoute({
  getParentRoute: () => project,
  path: '/settings/webhooks',
  component: lazyPage(() => import('../webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const webhook = createRoute({
  getParentRoute: () => project,
  path: '/settings/webhooks/$webhookId',
  params: idParams('webhookId'),
  // The parameters of the attempts.
  validateSearch: (search: Record<string, unknown>): AttemptsView =>
    only(search, { ...paged(search), ...(search['failed'] === true && { failed: true }) }),
  beforeLoad: ({ params: { webhookId } }) => requireId(webhookId),
  component: lazyPage(() => import('../webhooks/webhook-page.tsx'), 'WebhookPage'),
})

const aiProviders = createRoute({
  getParentRoute: () => project,
  path: '/settings/ai-providers',
  component: lazyPage(() => import('../ai-providers/providers-page.tsx'), 'ProvidersPage'),
})

export const settingsRoutes = [apiAccess, agents, members, markets, webhooks, webhook, aiProviders] as const
