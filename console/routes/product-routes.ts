import { createRoute } from '@tanstack/react-router'
import { readCompareSearch } from '../compare/search.ts'
import { readDuplicatesSearch } from '../duplicates/search.ts'
import { readSearch } from '../products/view.ts'
import { idParams, requireId } from './id-param.ts'
import { lazyPage } from './lazy-page.ts'
import { project } from './project-route.tsx'
import { isWholeNumber } from './read-url.ts'

const products = createRoute({
  getParentRoute: () => project,
  path: '/products',
  validateSearch: readSearch,
  component: lazyPage(() => import('../products/products-page.tsx'), 'ProductsPage'),
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
  params: idParams('productId'),
  validateSearch: ({ from, view, page, market }: Record<string, unknown>): ProductSearch => ({
    from: from === undefined ? undefined : String(from),
    view: view === 'history' ? view : undefined,
    page: isWholeNumber(page) && page > 1 ? page : undefined,
    market: market === undefined ? undefined : String(market),
  }),
  beforeLoad: ({ params: { productId } }) => requireId(productId),
  component: lazyPage(() => import('../product/product-page.tsx'), 'ProductPage'),
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

export const productRoutes = [
  products,
  newProduct,
  product,
  compare,
  duplicates,
  worklist,
  marketWorklist,
] as const
