import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { PageOf, pageParameters } from '../../platform/http/response/page-envelope.ts'
import { subscriptionLimits } from '../limits.ts'
import { DateTime, StatusOrNull, TextOrNull } from './webhook.schema.ts'

const WebhookAttemptSchema = Type.Object(
  {
    id: Type.Integer(),
    at: DateTime,
    event_id: Type.String(),
    type: Type.String(),
    try: Type.Integer({ minimum: 1, description: 'Number of the attempt for this event, from 1' }),
    status: StatusOrNull,
    error: TextOrNull('What went wrong; null after a success'),
    milliseconds: Type.Integer({ minimum: 0 }),
  },
  { $id: 'WebhookAttempt', ...closed },
)
export type WebhookAttempt = Type.Static<typeof WebhookAttemptSchema>
export const WebhookAttemptPageSchema = PageOf(WebhookAttemptSchema, 'WebhookAttemptPage', {
  id: 12,
  at: '2026-01-31T08:15:31.250Z',
  event_id: 'evt_2f9c1d4e6b7a48f0a1b2c3d4e5f60718_1',
  type: 'product.updated',
  try: 2,
  status: 503,
  error: 'HTTP 503',
  milliseconds: 120,
})

const WebhookParkedSchema = Type.Object(
  {
    id: Type.Integer(),
    event_id: Type.String(),
    cursor: Type.String({ description: 'Cursor of the event' }),
    type: Type.String(),
    parked_at: DateTime,
    tries: Type.Integer({ minimum: 1 }),
    status: StatusOrNull,
    error: TextOrNull('Error of the last attempt'),
    retrying: Type.Boolean({ description: 'Whether a retry is pending' }),
  },
  { $id: 'WebhookParked', ...closed },
)
export type WebhookParked = Type.Static<typeof WebhookParkedSchema>
export const WebhookParkedPageSchema = PageOf(WebhookParkedSchema, 'WebhookParkedPage', {
  id: 3,
  event_id: 'evt_2f9c1d4e6b7a48f0a1b2c3d4e5f60718_1',
  cursor: '0a1b2c3d.42.2f9c1d4e.1',
  type: 'product.updated',
  parked_at: '2026-01-31T08:51:30.500Z',
  tries: 5,
  status: 422,
  error: 'HTTP 422',
  retrying: false,
})

export const WebhookParkedRetrySchema = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
        minItems: 1,
        maxItems: subscriptionLimits.retriedEvents,
        description: 'Ids of failed deliveries. Default: all of them',
      }),
    ),
  },
  { $id: 'WebhookParkedRetry', ...closed, examples: [{ ids: [1] }] },
)
export const WebhookRetriedSchema = Type.Object(
  { retrying: Type.Integer({ minimum: 0, description: 'Number of events that are retried, once each' }) },
  { $id: 'WebhookRetried', ...closed, examples: [{ retrying: 1 }] },
)

export const WebhookAttemptQuerySchema = Type.Object({
  failed: Type.Optional(
    Type.Boolean({ description: 'true: only failed attempts; false: only successful ones' }),
  ),
  ...pageParameters,
})
