import { queryOptions } from '@tanstack/react-query'
import { read } from '../network.ts'
import type { ProductDetail } from '../wire.ts'

const pathOf = (project: number) => `/console/api/projects/${project}`

/** The product as a language or market shows it, with the values of all languages and markets. */
export const marketProductQuery = (project: number, id: number, market: string) =>
  queryOptions({
    queryKey: ['project', project, 'product', id, 'market', market],
    queryFn: ({ signal }) =>
      read<ProductDetail>(
        `${pathOf(project)}/products/${id}?view=${encodeURIComponent(market)}&expand=views`,
        signal,
      ),
    // A market that was deleted in the meantime.
    retry: false,
  })

/** The product with the stored values of all languages and markets. */
export const productInAllQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: ['project', project, 'product', id, 'in-all'],
    queryFn: ({ signal }) => read<ProductDetail>(`${pathOf(project)}/products/${id}?expand=views`, signal),
  })
