import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import type { ProductDetail } from '../../wire.ts'
import { productInAllQuery } from '../market-queries.ts'

/** The product with its values in languages and markets, if the project has any. Without them while they load. */
export function useInAll(product: ProductDetail): {
  current: ProductDetail
  isLoaded: boolean
  has_views: boolean
} {
  const { has_views } = useRouteContext({ from: '/signed-in/projects/$projectId' }).project
  const { data } = useQuery({ ...productInAllQuery(product.project, product.id), enabled: has_views })
  return { current: data ?? product, isLoaded: !has_views || data !== undefined, has_views }
}
