import { Type } from 'typebox'
import { scopes } from '../../model/scopes.ts'
import { updatable } from '../../platform/http/body/read-only-fields.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { PageOf, pageParameters } from '../../platform/http/response/page-envelope.ts'
import { typePatterns } from '../events/type-patterns.ts'
import { subscriptionLimits } from '../limits.ts'

const Timestamp = Type.String({ format: 'date-time' })
const TimestampOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })
const TextOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const StatusOrNull = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  description: 'HTTP status of the response; null if the receiver sent none',
})

const webhookStates = ['enabled', 'failing', 'disabled'] as const
export const disabledReasons = ['gone', 'failing', 'secret_unreadable', 'restored', 'by_hand'] as const

const Url = Type.String({
  minLength: 1,
  maxLength: subscriptionLimits.urlCharacters,
  description: 'https address of the receiver',
})
const Types = Type.Unsafe<string[] | null>({
  type: ['array', 'null'],
  items: OneOf(typePatterns),
  minItems: 1,
  maxItems: typePatterns.length,
  uniqueItems: true,
  description: 'Event types; `product.*` matches all product events; null matches all events',
})
const From = Type.String({
  minLength: 1,
  maxLength: 60,
  description:
    'A cursor of the feed, `0` for its beginning, `now`, or a time such as `2027-01-31T12:00:00Z` for all changes since then',
})

const webhookExample = {
  id: 7,
  url: 'https://receiver.example/catalog',
  types: ['product.*'],
  scopes: [
    'products:read',
    'products:propose',
    'products:write',
    'prompts:read',
    'prompts:write',
    'events:read',
    'webhooks:manage',
  ],
  actor: 'API client',
  state: 'enabled',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  lag_seconds: 0,
  parked: 0,
  last_error: null,
  last_error_at: null,
  last_success_at: null,
  skipped_before: null,
  rotation_ends_at: null,
  created_at: '2026-01-31T08:15:30.500Z',
  updated_at: '2026-01-31T08:15:30.500Z',
}

export const WebhookSchema = Type.Object(
  {
    id: Type.Integer(),
    url: Type.String({ format: 'uri' }),
    types: Types,
    scopes: Type.Array(OneOf(scopes), {
      description: 'Scopes of its creator; the webhook receives the events that they can read',
    }),
    actor: Type.String({ description: 'Its creator: the name of the token, or the email address' }),
    state: OneOf(webhookStates, { description: 'failing: the latest attempts failed and are retried' }),
    disabled_reason: Type.Unsafe<(typeof disabledReasons)[number] | null>({
      type: ['string', 'null'],
      enum: [...disabledReasons, null],
      description:
        'gone: the receiver returned 410; failing: no success for five days; secret_unreadable: rotate its secret; restored: the database was restored from a backup; by_hand: a user or client disabled it',
    }),
    disabled_at: TimestampOrNull('When deliveries stopped'),
    failing_since: TimestampOrNull('Time of the first failure since the last success'),
    lag_seconds: Type.Number({
      minimum: 0,
      'x-measured': true,
      description: 'Age of the oldest change that is not delivered yet',
    }),
    parked: Type.Integer({
      minimum: 0,
      description: 'Number of failed deliveries: events that are no longer retried',
    }),
    last_error: TextOrNull('Error of the last failed attempt'),
    last_error_at: TimestampOrNull('Time of the last failed attempt'),
    last_success_at: Type.Unsafe<string | null>({
      ...TimestampOrNull('When the receiver last returned 2xx'),
      'x-measured': true,
    }),
    skipped_before: TimestampOrNull(
      'Changes before this time were deleted by event retention before their delivery; null if there are none',
    ),
    rotation_ends_at: TimestampOrNull('Until then, the previous secret signs events too'),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Webhook', ...closed, examples: [webhookExample] },
)
export type Webhook = Type.Static<typeof WebhookSchema>
export const WebhookPageSchema = PageOf(WebhookSchema, 'WebhookPage')

const Secret = Type.String({ description: '`whsec_…`, as defined by Standard Webhooks; shown only once' })
export const WebhookWithSecretSchema = Type.Object(
  { ...WebhookSchema.properties, secret: Secret },
  {
    $id: 'WebhookWithSecret',
    ...closed,
    examples: [{ ...webhookExample, secret: 'whsec_q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=' }],
  },
)
export type WebhookWithSecret = Type.Static<typeof WebhookWithSecretSchema>

export const WebhookCreateSchema = Type.Object(
  { url: Url, types: Type.Optional(Types), from: Type.Optional({ ...From, default: 'now' }) },
  {
    $id: 'WebhookCreate',
    ...closed,
    examples: [{ url: 'https://receiver.example/catalog', types: ['product.*'], from: 'now' }],
  },
)
export type WebhookCreate = Type.Static<typeof WebhookCreateSchema>

export const WebhookPatchSchema = updatable(
  Type.Object(
    { url: Type.Optional(Url), types: Type.Optional(Types) },
    { $id: 'WebhookPatch', ...closed, examples: [{ types: ['product.*'] }] },
  ),
  WebhookSchema,
)
export type WebhookPatch = Type.Static<typeof WebhookPatchSchema>

export const WebhookRotateSchema = Type.Object(
  {
    overlap: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,6}[smhd]$',
        default: '24h',
        description: 'a duration such as 30m, 24h or 7d, during which the old secret signs too',
      }),
    ),
  },
  { $id: 'WebhookRotate', ...closed, examples: [{ overlap: '24h' }] },
)

export const WebhookReplaySchema = Type.Object(
  {
    from: From,
    to: Type.Optional(Type.String({ ...From, description: 'The last event to replay. Default: the newest' })),
  },
  { $id: 'WebhookReplay', ...closed, examples: [{ from: '0' }] },
)
export type WebhookReplay = Type.Static<typeof WebhookReplaySchema>

export const WebhookEnableSchema = Type.Object(
  {
    from: Type.Optional({
      ...From,
      description: 'A cursor of the feed, `0`, `now` or a time. Default: where deliveries stopped',
    }),
  },
  { $id: 'WebhookEnable', ...closed, examples: [{ from: 'now' }] },
)

export const WebhookTestSchema = Type.Object(
  {
    delivered: Type.Boolean({ description: 'Whether the receiver returned 2xx' }),
    status: StatusOrNull,
    milliseconds: Type.Integer({ minimum: 0 }),
    answer: Type.String({ description: 'First KiB of the response body' }),
    error: TextOrNull('What went wrong; null after a success'),
  },
  {
    $id: 'WebhookTest',
    ...closed,
    examples: [{ delivered: true, status: 200, milliseconds: 84, answer: 'ok', error: null }],
  },
)
export type WebhookTest = Type.Static<typeof WebhookTestSchema>

const WebhookAttemptSchema = Type.Object(
  {
    id: Type.Integer(),
    at: Timestamp,
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
    parked_at: Timestamp,
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

export const WebhookId = Type.Object({ id: Type.Integer({ description: 'Webhook identifier' }) })
export const WebhookQuerySchema = Type.Object(pageParameters)
export const WebhookAttemptQuerySchema = Type.Object({
  failed: Type.Optional(
    Type.Boolean({ description: 'true: only failed attempts; false: only successful ones' }),
  ),
  ...pageParameters,
})
