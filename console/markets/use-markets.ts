import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import type { Market } from '../wire.ts'
import { marketsQuery } from './market-queries.ts'

const none: readonly Market[] = []

/** The languages and markets of the current project. A project without any causes no request. */
export function useMarkets(): { markets: readonly Market[]; isLoading: boolean } {
  const { id, has_views } = useRouteContext({ from: '/signed-in/projects/$projectId' }).project
  const query = useQuery({ ...marketsQuery(id), enabled: has_views })
  return { markets: query.data ?? none, isLoading: has_views && query.isPending }
}
