import { read } from '../../network.ts'
import { queryText } from '../../plain-search.ts'
import type { ListedProduct, Page } from '../../wire.ts'

/** Filters that read values of the base, even if the list shows a language or market. */
const baseFilters =
  /^(search|match|search_in|name__icontains|price__[gl]te|quality_score__[gl]te|quality_rule|has_image|attributes(\[|__).*)$/
/** Orders that mean the same in every language and market. */
const commonOrders = ['id', 'sku', 'product_type', 'created_at', 'updated_at']

function isOfBase([name, value]: readonly [string, string]): boolean {
  if (name === 'ordering')
    return !value.split(',').every((field) => commonOrders.includes(field.replace(/^-/, '')))
  return baseFilters.test(name)
}

/** Whether the service reads some of the filters or the order only from the base. */
export function readsBase(query: string): boolean {
  return [...new URLSearchParams(query)].some(isOfBase)
}

/** A page of products as a language or market shows them. The base filters and orders them, if necessary. */
export async function readInMarket(
  path: string,
  query: string,
  market: string,
  signal: AbortSignal,
): Promise<Page<ListedProduct>> {
  if (!readsBase(query)) return read(`${path}?${query}&${queryText([['view', market]])}`, signal)
  const page = await read<Page<ListedProduct>>(`${path}?${query}`, signal)
  if (page.results.length === 0) return page
  const own = queryText([
    ['id__in', page.results.map(({ id }) => id).join(',')],
    ['view', market],
    ['expand', 'detail'],
    ['page_size', String(page.results.length)],
  ])
  const { results } = await read<Page<ListedProduct>>(`${path}?${own}`, signal)
  const shown = new Map(results.map((product) => [product.id, product]))
  return { ...page, results: page.results.map((product) => ({ ...product, ...shown.get(product.id) })) }
}
