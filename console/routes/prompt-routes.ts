import { createRoute } from '@tanstack/react-router'
import { runStates } from '../../src/catalog/runs/run-states.ts'
import { type CallsSearch, callStates, type RunsSearch } from '../prompt-runs/states.ts'
import { readPromptSearch, readPromptsSearch } from '../prompts/search-params.ts'
import { idParams, requireId } from './id-param.ts'
import { lazyPage } from './lazy-page.ts'
import { project } from './project-route.tsx'
import { oneOf, only, paged } from './read-url.ts'

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
  params: idParams('promptId'),
  validateSearch: readPromptSearch,
  beforeLoad: ({ params: { promptId } }) => requireId(promptId),
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
  params: idParams('runId'),
  // The parameters of the calls.
  validateSearch: (search: Record<string, unknown>): CallsSearch => {
    const state = oneOf(callStates, search['state'])
    return only(search, { ...paged(search), ...(state && { state }) })
  },
  beforeLoad: ({ params: { runId } }) => requireId(runId),
  component: lazyPage(() => import('../prompt-runs/run-page.tsx'), 'RunPage'),
})

export const promptRoutes = [prompts, newPrompt, prompt, runs, run] as const
