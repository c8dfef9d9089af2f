import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { read } from '../network.ts'
import { listQuery } from '../queries.ts'
import type { Page, Webhook, WebhookAttempt, WebhookParked } from '../wire.ts'

export const webhooksPath = (project: number, path = '') => `/console/api/projects/${project}/webhooks${path}`
export const webhooksKey = (project: number) => ['project', project, 'webhooks']

/** All webhooks: a project never has more than one page. */
export const webhooksQuery = (project: number) =>
  queryOptions({
    queryKey: [...webhooksKey(project), 'list'],
    queryFn: ({ signal }) => read<Page<Webhook>>(webhooksPath(project), signal),
  })

export const webhookQuery = (project: number, id: number) =>
  queryOptions({
    queryKey: [...webhooksKey(project), id],
    queryFn: ({ signal }) => read<Webhook>(webhooksPath(project, `/${id}`), signal),
  })

export const attemptsQuery = (project: number, id: number, isFailed: boolean, page: number) =>
  queryOptions({
    queryKey: [...webhooksKey(project), id, 'attempts', isFailed, page],
    queryFn: ({ signal }) => {
      const query = listQuery({ failed: isFailed ? 'true' : undefined }, page)
      return read<Page<WebhookAttempt>>(webhooksPath(project, `/${id}/attempts?${query}`), signal)
    },
    placeholderData: keepPreviousData,
  })

export const failedDeliveriesQuery = (project: number, id: number, page: number) =>
  queryOptions({
    queryKey: [...webhooksKey(project), id, 'parked', page],
    queryFn: ({ signal }) =>
      read<Page<WebhookParked>>(webhooksPath(project, `/${id}/parked?${listQuery({}, page)}`), signal),
    placeholderData: keepPreviousData,
  })
