import { Type } from 'typebox'
import { scopes } from '../../model/scopes.ts'
import { updatable } from '../../platform/http/body/read-only-fields.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { PageOf, pageParameters } from '../../platform/http/response/page-envelope.ts'
import { typePatterns } from '../events/type-patterns.ts'
import { subscriptionLimits } from '../limits.ts'

export const DateTime = Type.String({ format: 'date-time' })
const TimestampOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })
export const TextOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
export const StatusOrNull = Type.Unsafe<number | null>({
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
export const From = Type.String({
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
    created_at: DateTime,
    updated_at: DateTime,
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

export const WebhookId = Type.Object({ id: Type.Integer({ description: 'Webhook identifier' }) })
export const WebhookQuerySchema = Type.Object(pageParameters)
