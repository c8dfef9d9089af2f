import { createRoute } from '@tanstack/react-router'
import type { LineFilters, ProposalFilters } from '../proposals/queries.ts'
import { lineStates, origins, outcomes, proposalStates } from '../proposals/states.ts'
import { idParams, requireId } from './id-param.ts'
import { lazyPage } from './lazy-page.ts'
import { project } from './project-route.tsx'
import { oneOf, only, paged } from './read-url.ts'

const proposals = createRoute({
  getParentRoute: () => project,
  path: '/proposals',
  validateSearch: (search: Record<string, unknown>): ProposalFilters & { page?: number } => {
    const state = oneOf(proposalStates, search['state'])
    const origin = oneOf(origins, search['origin'])
    return only(search, { ...paged(search), ...(state && { state }), ...(origin && { origin }) })
  },
  component: lazyPage(() => import('../proposals/proposals-page.tsx'), 'ProposalsPage'),
})

/** The lines, and the language or market whose changes are shown. */
type LinesSearch = LineFilters & { page?: number; few?: boolean; market?: string }

const proposal = createRoute({
  getParentRoute: () => project,
  path: '/proposals/$proposalId',
  params: idParams('proposalId'),
  validateSearch: (search: Record<string, unknown>): LinesSearch => {
    const state = oneOf(lineStates, search['state'])
    const outcome = oneOf(outcomes, search['outcome'])
    const few = search['few'] === true
    const { market } = search
    return only(search, {
      ...paged(search),
      ...(few && { few }),
      ...(market !== undefined && { market: String(market) }),
      ...(state && { state }),
      ...(outcome && { outcome }),
    })
  },
  beforeLoad: ({ params: { proposalId } }) => requireId(proposalId),
  component: lazyPage(() => import('../proposals/proposal-page.tsx'), 'ProposalPage'),
})

export const proposalRoutes = [proposals, proposal] as const
