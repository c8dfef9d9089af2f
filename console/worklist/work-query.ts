import { queryOptions } from '@tanstack/react-query'
import { refetchWhileMarking } from '../markets/market-queries.ts'
import { ProblemError, read } from '../network.ts'
import type { Page, Product } from '../wire.ts'

/** The number of products in the list, and the first one after the skipped ones; null at the end. */
export type Work = { count: number; id: number | null }

export const workQuery = (project: number, query: string, skipped: number) =>
  queryOptions({
    queryKey: ['project', project, 'worklist', query, skipped],
    queryFn: async ({ signal }): Promise<Work> => {
      const page = (number: number) =>
        read<Page<Product>>(
          `/console/api/projects/${project}/products?${query}&page=${number}&page_size=1`,
          signal,
        )
      try {
        const { count, results } = await page(skipped + 1)
        return { count, id: results[0]?.id ?? null }
      } catch (error) {
        // The list is shorter than the number of skipped products.
        if (!(error instanceof ProblemError) || error.code !== 'invalid_page') throw error
        return { count: (await page(1)).count, id: null }
      }
    },
    refetchInterval: refetchWhileMarking,
  })
