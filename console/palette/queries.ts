import { queryOptions } from '@tanstack/react-query'
import { read } from '../network.ts'
import { shortestSearch } from '../product/queries.ts'
import type { Page, ProductDetail } from '../wire.ts'

const mostProducts = 7

/** Products by SKU or name. An exact SKU match comes first. */
export const foundProductsQuery = (project: number, text: string) =>
  queryOptions({
    queryKey: ['project', project, 'palette', text],
    queryFn: async ({ signal }) => {
      const list = (filter: Record<string, string>) =>
        read<Page<ProductDetail>>(
          `/console/api/projects/${project}/products?${new URLSearchParams({ ...filter, expand: 'detail', page_size: String(mostProducts) })}`,
          signal,
        )
      const [exact, found] = await Promise.all([
        list(skuFilter(text)),
        text.length >= shortestSearch ? list({ search: text }) : undefined,
      ])
      const typed = exact.results.filter(({ sku }) => sku === text)
      const all = [...typed, ...exact.results, ...(found?.results ?? [])]
      return [...new Map(all.map((product) => [product.id, product])).values()].slice(0, mostProducts)
    },
    placeholderData: (found, before) => (before?.queryKey[1] === project ? found : undefined),
    staleTime: 10_000,
    retry: false,
  })

/** Also matches the SKU in upper case. A comma would separate list values. */
function skuFilter(text: string): Record<string, string> {
  return text.includes(',') ? { sku: text } : { sku__in: [...new Set([text, text.toUpperCase()])].join(',') }
}
