import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import type { ProductDetail } from '../../wire.ts'
import { productInAllQuery } from '../market-queries.ts'

/** The product with its values in languages and markets, if the project has any. Until they load, `current` has only the base values. */
export function useProductInAllViews(product: ProductDetail): {
  current: ProductDetail
  areViewsLoaded: boolean
  has_views: boolean
} {
  const { has_views } = useRouteContext({ from: '/signed-in/projects/$projectId' }).project
  const { data, isError } = useQuery({
    ...productInAllQuery(product.project, product.id),
    enabled: has_views,
  })
  const inAll = data?.version === product.version ? data : undefined
  const areViewsLoaded = !has_views || isError || inAll !== undefined
  return { current: inAll ?? product, areViewsLoaded, has_views }
}
