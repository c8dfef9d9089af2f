import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { From, StatusOrNull, TextOrNull } from './webhook.schema.ts'

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
