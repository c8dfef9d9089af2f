import { createRoute, notFound, Outlet } from '@tanstack/react-router'
import { runStates } from '../../src/catalog/runs/run-states.ts'
import { readCompareSearch } from '../compare/search.ts'
import { readDuplicatesSearch } from '../duplicates/search.ts'
import { fileFilters } from '../media/filters.ts'
import type { FilesSearch } from '../media/media-page.tsx'
import type { MembersView } from '../members/queries.ts'
import { ProblemError } from '../network.ts'
import { MissingPage } from '../pages/missing-page.tsx'
import { readSearch } from '../products/view.ts'
import { type CallsSearch, callStates, type RunsSearch } from '../prompt-runs/states.ts'
import { readPromptSearch, readPromptsSearch } from '../prompts/search-params.ts'
import type { LineFilters, ProposalFilters } from '../proposals/queries.ts'
import { lineStates, origins, outcomes, proposalStates } from '../proposals/states.ts'
import { openProjectQuery } from '../queries.ts'
import { WebhookBanner } from '../shell/webhook-banner.tsx'
import type { AttemptsView } from '../webhooks/attempts-card.tsx'
import { lazyPage } from './lazy-page.ts'
import { isWholeNumber, oneOf, only, paged, projectParams, readId, searched } from './read-url.ts'
import { signedIn } from './signed-in.tsx'

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId',
  params: projectParams,
  beforeLoad: async ({ context: { session, queries }, params: { projectId } }) => {
    const known = session.projects.find(({ id }) => id === projectId)
    if (known !== undefined) return { project: known }
    // The session lists only the first projects.
    if (projectId === 0 || session.projects.length === session.project_count) throw notFound()
    return { project: await queries.fetchQuery(openProjectQuery(projectId)).catch(missing) }
  },
  component: ProjectPages,
  // Without this, the rootRoute route would show it without the navigation.
  notFoundComponent: MissingPage,
})

function ProjectPages() {
  const { projectId } = project.useParams()
  return (
    <>
      <WebhookBanner project={projectId} />
      <Outlet />
    </>
  )
}

function missing(error: Error): never {
  throw error instanceof ProblemError && error.status === 404 ? notFound() : error
}

const overview = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: lazyPage(() => import('../overview/overview-page.tsx'), 'OverviewPage'),
})

const products = createRoute({
  getParentRoute: () => project,
  path: '/products',
  validateSearch: readSearch,
  component: lazyPage(() => import('../products/products-page.tsx'), 'ProductsPage'),
})

const worklist = createRoute({
  getParentRoute: () => project,
  path: '/worklist',
  validateSearch: readSearch,
  component: lazyPage(() => import('../worklist/worklist-page.tsx'), 'WorklistPage'),
})

const marketWorklist = createRoute({
  getParentRoute: () => project,
  path: '/markets/$market/worklist',
  validateSearch: readSearch,
  component: lazyPage(() => import('../market-worklist/market-worklist-page.tsx'), 'MarketWorklistPage'),
})

const compare = createRoute({
  getParentRoute: () => project,
  path: '/compare',
  validateSearch: readCompareSearch,
  component: lazyPage(() => import('../compare/compare-page.tsx'), 'ComparePage'),
})

const duplicates = createRoute({
  getParentRoute: () => project,
  path: '/duplicates',
  validateSearch: readDuplicatesSearch,
  component: lazyPage(() => import('../duplicates/duplicates-page.tsx'), 'DuplicatesPage'),
})

const newProduct = createRoute({
  getParentRoute: () => project,
  path: '/products/new',
  validateSearch: ({ duplicate }: Record<string, unknown>): { duplicate?: number | undefined } => ({
    duplicate: isWholeNumber(duplicate) ? duplicate : undefined,
  }),
  component: lazyPage(() => import('../product/new-product-page.tsx'), 'NewProductPage'),
})

type ProductSearch = {
  /** The query string of the list that the user came from. */
  from?: string | undefined
  view?: 'history' | undefined
  /** The page of the history. */
  page?: number | undefined
  /** The code of a language or market. */
  market?: string | undefined
}

const product = createRoute({
  getParentRoute: () => project,
  path: '/products/$productId',
  params: {
    parse: ({ productId }: { productId: string }) => ({ productId: readId(productId) }),
    stringify: ({ productId }: { productId: number }) => ({ productId: String(productId) }),
  },
  validateSearch: ({ from, view, page, market }: Record<string, unknown>): ProductSearch => ({
    from: from === undefined ? undefined : String(from),
    view: view === 'history' ? view : undefined,
    page: isWholeNumber(page) && page > 1 ? page : undefined,
    market: market === undefined ? undefined : String(market),
  }),
  beforeLoad: ({ params: { productId } }) => {
    if (productId === 0) throw notFound()
  },
  component: lazyPage(() => import('../product/product-page.tsx'), 'ProductPage'),
})

type CategoriesSearch = {
  /** The selected category. */
  category?: number | undefined
  search?: string | undefined
  /** The page of the search results. */
  page?: number | undefined
}

const categories = createRoute({
  getParentRoute: () => project,
  path: '/categories',
  validateSearch: ({ category, search, page }: Record<string, unknown>): CategoriesSearch => ({
    category: isWholeNumber(category) ? category : undefined,
    search: search === undefined || search === '' ? undefined : String(search),
    page: isWholeNumber(page) && page > 1 ? page : undefined,
  }),
  component: lazyPage(() => import('../categories/categories-page.tsx'), 'CategoriesPage'),
})

const media = createRoute({
  getParentRoute: () => project,
  path: '/media',
  validateSearch: (search: Record<string, unknown>): FilesSearch => {
    const filter = oneOf(fileFilters, search['only'])
    const { file } = search
    return only(search, {
      ...paged(search),
      ...(filter && { only: filter }),
      ...(typeof file === 'string' && { file }),
    })
  },
  component: lazyPage(() => import('../media/media-page.tsx'), 'MediaPage'),
})

const attributes = createRoute({
  getParentRoute: () => project,
  path: '/attributes',
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: 'rules' | undefined } => ({
    tab: tab === 'rules' ? tab : undefined,
  }),
  component: lazyPage(() => import('../attributes/attributes-page.tsx'), 'AttributesPage'),
})

const importFile = createRoute({
  getParentRoute: () => project,
  path: '/import',
  component: lazyPage(() => import('../import/import-page.tsx'), 'ImportPage'),
})

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
  params: {
    parse: ({ webhookId }: { webhookId: string }) => ({ webhookId: readId(webhookId) }),
    stringify: ({ webhookId }: { webhookId: number }) => ({ webhookId: String(webhookId) }),
  },
  // The parameters of the attempts.
  validateSearch: (search: Record<string, unknown>): AttemptsView =>
    only(search, { ...paged(search), ...(search['failed'] === true && { failed: true }) }),
  beforeLoad: ({ params: { webhookId } }) => {
    if (webhookId === 0) throw notFound()
  },
  component: lazyPage(() => import('../webhooks/webhook-page.tsx'), 'WebhookPage'),
})

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
  params: {
    parse: ({ proposalId }: { proposalId: string }) => ({ proposalId: readId(proposalId) }),
    stringify: ({ proposalId }: { proposalId: number }) => ({ proposalId: String(proposalId) }),
  },
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
  beforeLoad: ({ params: { proposalId } }) => {
    if (proposalId === 0) throw notFound()
  },
  component: lazyPage(() => import('../proposals/proposal-page.tsx'), 'ProposalPage'),
})

const prompts = createRoute({
  getParentRoute: () => project,
  path: '/prompts',
  validateSearch: readPromptsSearch,
  component: lazyPage(() => import('../prompts/prompts-page.tsx'), 'PromptsPage'),
})

const newPrompt = createRoute({
  getParentRoute: () => project,
  path: '/prompts/new',
  component: lazyPage(() => import('../prompts/prompt-page.tsx'), 'NewPromptPage'),
})

const prompt = createRoute({
  getParentRoute: () => project,
  path: '/prompts/$promptId',
  params: {
    parse: ({ promptId }: { promptId: string }) => ({ promptId: readId(promptId) }),
    stringify: ({ promptId }: { promptId: number }) => ({ promptId: String(promptId) }),
  },
  validateSearch: readPromptSearch,
  beforeLoad: ({ params: { promptId } }) => {
    if (promptId === 0) throw notFound()
  },
  component: lazyPage(() => import('../prompts/prompt-page.tsx'), 'PromptPage'),
})

const runs = createRoute({
  getParentRoute: () => project,
  path: '/runs',
  validateSearch: (search: Record<string, unknown>): RunsSearch => {
    const state = oneOf(runStates, search['state'])
    return only(search, { ...paged(search), ...(state && { state }) })
  },
  component: lazyPage(() => import('../prompt-runs/runs-page.tsx'), 'RunsPage'),
})

const run = createRoute({
  getParentRoute: () => project,
  path: '/runs/$runId',
  params: {
    parse: ({ runId }: { runId: string }) => ({ runId: readId(runId) }),
    stringify: ({ runId }: { runId: number }) => ({ runId: String(runId) }),
  },
  // The parameters of the calls.
  validateSearch: (search: Record<string, unknown>): CallsSearch => {
    const state = oneOf(callStates, search['state'])
    return only(search, { ...paged(search), ...(state && { state }) })
  },
  beforeLoad: ({ params: { runId } }) => {
    if (runId === 0) throw notFound()
  },
  component: lazyPage(() => import('../prompt-runs/run-page.tsx'), 'RunPage'),
})

const aiProviders = createRoute({
  getParentRoute: () => project,
  path: '/settings/ai-providers',
  component: lazyPage(() => import('../ai-providers/providers-page.tsx'), 'ProvidersPage'),
})

export const projectRoutes = project.addChildren([
  overview,
  products,
  worklist,
  marketWorklist,
  compare,
  duplicates,
  newProduct,
  product,
  categories,
  media,
  attributes,
  importFile,
  apiAccess,
  agents,
  members,
  markets,
  webhooks,
  webhook,
  proposals,
  proposal,
  prompts,
  newPrompt,
  prompt,
  runs,
  run,
  aiProviders,
])
