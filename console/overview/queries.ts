import { queryOptions } from '@tanstack/react-query'
import { read, write } from '../network.ts'
import type { Activity, ActorActivity, Page, ProductDetail, QualityPreview, QualityRules } from '../wire.ts'

const path = (project: number) => `/console/api/projects/${project}`
const key = (project: number) => ['project', project, 'overview'] as const
/** Counts are expensive with many products, so they are cached for longer. */
const staleTime = 60_000

/** Products created and changed per day, for the last 30 days. */
export const activityQuery = (project: number) =>
  queryOptions({
    queryKey: [...key(project), 'activity'],
    queryFn: ({ signal }) => read<Activity>(`${path(project)}/overview/activity`, signal),
    staleTime: 300_000,
  })

/** Who changed something in the last 30 days. */
export const peopleQuery = (project: number) =>
  queryOptions({
    queryKey: [...key(project), 'people'],
    queryFn: ({ signal }) => read<{ results: ActorActivity[] }>(`${path(project)}/overview/people`, signal),
    staleTime,
  })

/** The number of products at or below their threshold, and the first of them. */
export const lowStockQuery = (project: number) =>
  queryOptions({
    queryKey: [...key(project), 'low-stock'],
    queryFn: ({ signal }) =>
      read<Page<ProductDetail>>(
        `${path(project)}/products?low_stock=true&expand=detail&page_size=${lowShown}`,
        signal,
      ),
    staleTime,
  })

export const lowShown = 5

export type FailedRule = { code: string; message: string; share: number }

/**
 * The most failed rules in a sample of up to 1,000 products. Counting each rule would scan all products once per
 * rule.
 */
export const failedRulesQuery = (project: number) =>
  queryOptions({
    queryKey: [...key(project), 'failed-rules'],
    queryFn: async ({ signal }): Promise<FailedRule[]> => {
      const { rules } = await read<QualityRules>(`${path(project)}/quality-rules`, signal)
      const preview = await write<QualityPreview>('POST', `${path(project)}/quality-rules/preview`, { rules })
      const messages = new Map(rules.map(({ code, message }) => [code, message ?? code]))
      return preview.rules
        .filter(({ failed }) => failed > 0)
        .map(({ code, failed }) => ({
          code,
          message: messages.get(code) ?? code,
          share: failed / Math.max(preview.looked_at, 1),
        }))
        .sort((one, other) => other.share - one.share)
        .slice(0, rulesShown)
    },
    staleTime: 300_000,
  })

export const rulesShown = 5
