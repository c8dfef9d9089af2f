import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { attributeLimits } from '../../src/model/limits/attributes.ts'
import { read } from '../network.ts'
import type {
  AttributeDefinition,
  Category,
  Page,
  Product,
  ProductChange,
  ProductDetail,
  StoredAdjustment,
} from '../wire.ts'

const pathOf = (project: number) => `/console/api/projects/${project}`

export const productQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: ['project', project, 'product', id],
    queryFn: ({ signal }) => read<ProductDetail>(`${pathOf(project)}/products/${id}`, signal),
  })

/** The product at a point in time. */
export const pastProductQuery = (project: number, id: number, at: string, hasMarkets: boolean) =>
  queryOptions({
    queryKey: ['project', project, 'product', id, 'past', at, hasMarkets],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ as_of: at, ...(hasMarkets && { expand: 'views' }) })
      return read<ProductDetail>(`${pathOf(project)}/products/${id}?${query}`, signal)
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

export const historySize = 10
export const historyQuery = (project: number, id: number, page: number) =>
  queryOptions({
    queryKey: ['project', project, 'product', id, 'history', page],
    queryFn: ({ signal }) =>
      read<Page<ProductChange>>(
        `${pathOf(project)}/products/${id}/history?page=${page}&page_size=${historySize}`,
        signal,
      ),
    placeholderData: keepPreviousData,
  })

export const adjustmentsQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: ['project', project, 'product', id, 'adjustments'],
    queryFn: ({ signal }) =>
      read<Page<StoredAdjustment>>(
        `${pathOf(project)}/products/${id}/inventory/adjustments?page_size=5`,
        signal,
      ),
  })

export const variantsSize = 20
export const variantsQuery = (project: number, parent: number, page: number) =>
  queryOptions({
    queryKey: ['project', project, 'product', parent, 'variants', page],
    queryFn: ({ signal }) =>
      read<Page<ProductDetail>>(
        `${pathOf(project)}/products?parent=${parent}&expand=detail&page=${page}&page_size=${variantsSize}`,
        signal,
      ),
    placeholderData: keepPreviousData,
  })

/** The largest number of variants that the matrix shows. */
export const maxInMatrix = 200
export const allVariantsQuery = (project: number, parent: number) =>
  queryOptions({
    queryKey: ['project', project, 'product', parent, 'variants', 'all'],
    queryFn: ({ signal }) =>
      read<Page<ProductDetail>>(
        `${pathOf(project)}/products?parent=${parent}&expand=detail&page_size=${maxInMatrix}`,
        signal,
      ),
  })

/** Shorter searches would scan every product. */
export const shortestSearch = 3
export const foundSkusQuery = (project: number, search: string, filter: string) =>
  queryOptions({
    queryKey: ['project', project, 'found-skus', search, filter],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams(filter)
      query.set('search', search)
      query.set('page_size', '8')
      query.set('expand', 'detail')
      return read<Page<ProductDetail>>(`${pathOf(project)}/products?${query}`, signal)
    },
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    retry: false,
  })

export type NamedProducts = ReadonlyMap<number, ProductDetail> | undefined
const none: NonNullable<NamedProducts> = new Map()
const mostNamed = 100

/** Products by ID, for their names and pictures. A product that is not found stays a SKU. */
export const namedProductsQuery = (project: number, ids: readonly (number | null)[], market?: string) => {
  const wanted = [...new Set(ids.filter((id) => id !== null))].sort().slice(0, mostNamed)
  return queryOptions({
    queryKey: ['project', project, 'named-products', wanted, market],
    queryFn: async ({ signal }) => {
      const view = market === undefined ? '' : `&view=${encodeURIComponent(market)}`
      const query = `id__in=${wanted.join(',')}&expand=detail&page_size=${mostNamed}${view}`
      const { results } = await read<Page<ProductDetail>>(`${pathOf(project)}/products?${query}`, signal)
      return new Map(results.map((product) => [product.id, product])) as typeof none
    },
    enabled: wanted.length > 0,
    placeholderData: (found) => found ?? none,
    staleTime: 30_000,
    retry: false,
  })
}

/** One page holds the maximum number of definitions. */
export const definitionsQuery = (project: number) =>
  queryOptions({
    queryKey: ['project', project, 'attribute-definitions'],
    queryFn: ({ signal }) =>
      read<Page<AttributeDefinition>>(
        `${pathOf(project)}/attributes?page_size=${attributeLimits.definitions}`,
        signal,
      ),
    staleTime: 60_000,
  })

export const categorySearchQuery = (project: number, search: string) =>
  queryOptions({
    queryKey: ['project', project, 'category-search', search],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ page_size: '20', ...(search !== '' && { search }) })
      return read<Page<Category>>(`${pathOf(project)}/categories?${query}`, signal)
    },
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })

/**
 * A page of the list that the user came from. Not refetched after a change: a product that no longer matches must
 * keep its neighbors.
 */
export const walkQuery = (project: number, query: string) =>
  queryOptions({
    queryKey: ['walk', project, query],
    queryFn: ({ signal }) => read<Page<Product>>(`${pathOf(project)}/products?${query}`, signal),
    staleTime: 600_000,
    retry: false,
  })
