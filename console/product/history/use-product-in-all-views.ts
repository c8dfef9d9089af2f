import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import type { ProductDetail } from '../../wire.ts'
import { productInAllQuery } from '../market-queries.ts'

/**
 * The product with its values in languages and markets, if the project has any. `current` has only the base values until they load, or if loading
 * fails.
 */
export function useProductInAllViews(product: ProductDetail): {
  current: ProductDetail
  isSettled: boolean
  has_views: boolean
} {
  const { has_views } = useRouteContext({ from: '/signed-in/projects/$projectId' }).project
  const { data, isError } = useQuery({
    ...productInAllQuery(product.project, product.id),
    enabled: has_views,
  })
  const inAll = data?.version === product.version ? data : undefined
  const isSettled = !has_views || isError || inAll !== undefined
  return { current: inAll ?? product, isSettled, has_views }
}
