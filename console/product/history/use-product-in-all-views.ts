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
  const { data } = useQuery({ ...productInAllQuery(product.project, product.id), enabled: has_views })
  return { current: data ?? product, areViewsLoaded: !has_views || data !== undefined, has_views }
}
