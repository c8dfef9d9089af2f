import { remove, write } from '../network.ts'
import type { Webhook, WebhookTest, WebhookWithSecret } from '../wire.ts'
import { webhooksPath } from './queries.ts'

export const createWebhook = (
  project: number,
  body: { url: string; types: string[] | null; from: string | undefined },
) => write<WebhookWithSecret>('POST', webhooksPath(project), body)
export const changeWebhook = (project: number, id: number, body: { url: string; types: string[] | null }) =>
  write<Webhook>('PATCH', webhooksPath(project, `/${id}`), body)
export const deleteWebhook = (project: number, id: number) => remove(webhooksPath(project, `/${id}`))
export const testWebhook = (project: number, id: number) =>
  write<WebhookTest>('POST', webhooksPath(project, `/${id}/test`))
export const rotateWebhook = (project: number, id: number, overlap: string) =>
  write<WebhookWithSecret>('POST', webhooksPath(project, `/${id}/rotate`), { overlap })
export const replayWebhook = (project: number, id: number, from: string | undefined) =>
  write<Webhook>('POST', webhooksPath(project, `/${id}/replay`), { from })
export const disableWebhook = (project: number, id: number) =>
  write<Webhook>('POST', webhooksPath(project, `/${id}/disable`))
/** Without `from`, deliveries continue after the last delivered event. */
export const enableWebhook = (project: number, id: number, from: string | undefined) =>
  write<Webhook>('POST', webhooksPath(project, `/${id}/enable`), { from })
/** Without `ids`, all failed deliveries. */
export const retryFailedDeliveries = (project: number, id: number, ids: number[] | undefined) =>
  write<{ retrying: number }>('POST', webhooksPath(project, `/${id}/parked/retry`), { ids })
