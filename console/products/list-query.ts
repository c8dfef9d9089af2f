import { queryOptions } from '@tanstack/react-query'
import { refetchWhileMarking } from '../markets/market-queries.ts'
import { read } from '../network.ts'
import type { ListedProduct, Page } from '../wire.ts'
import { readInMarket } from './market/market-page.ts'

const of = (project: number) => `/console/api/projects/${project}`

/** A page of the list, in the base or in a language or market. The previous rows stay until it is loaded. */
export const productsQuery = (project: number, query: string, market?: string) =>
  queryOptions({
    queryKey: ['project', project, 'products', query, ...(market === undefined ? [] : [market])],
    queryFn: ({ signal }) =>
      market === undefined
        ? read<Page<ListedProduct>>(`${of(project)}/products?${query}`, signal)
        : readInMarket(`${of(project)}/products`, query, market, signal),
    placeholderData: (rows, before) => (before?.queryKey[1] === project ? rows : undefined),
    refetchInterval: refetchWhileMarking,
    // Back shows the same rows, even after a long time.
    gcTime: 1_800_000,
  })
