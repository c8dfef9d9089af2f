import { createRoute } from '@tanstack/react-router'
import { fileFilters } from '../media/filters.ts'
import type { FilesSearch } from '../media/media-page.tsx'
import { lazyPage } from './lazy-page.ts'
import { productRoutes } from './product-routes.ts'
import { project } from './project-route.tsx'
import { promptRoutes } from './prompt-routes.ts'
import { proposalRoutes } from './proposal-routes.ts'
import { isWholeNumber, oneOf, only, paged } from './read-url.ts'
import { settingsRoutes } from './settings-routes.ts'

const overview = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: lazyPage(() => import('../overview/overview-page.tsx'), 'OverviewPage'),
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

export const projectRoutes = project.addChildren([
  overview,
  categories,
  media,
  attributes,
  importFile,
  ...productRoutes,
  ...proposalRoutes,
  ...promptRoutes,
  ...settingsRoutes,
])
