import { createHmac } from 'node:crypto'
import type { CatalogEvent } from '../events/event.schema.ts'

/** The event as it is sent: a large one without what it was and became, which the feed and the history tell. */
export function bodyOf(event: Pick<CatalogEvent, 'data'>, mostBytes: number): string {
  const whole = JSON.stringify(event)
  if (Buffer.byteLength(whole) <= mostBytes) return whole
  return JSON.stringify({ ...event, data: { ...event.data, before: null, after: null }, truncated: true })
}

/** The headers of Standard Webhooks, with a signature by each of the secrets. */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly Buffer[],
  unixSeconds = Math.floor(Date.now() / 1000),
): Record<string, string> {
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${unixSeconds}.${body}`).digest('base64')}`,
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': signatures.join(' '),
  }
}
