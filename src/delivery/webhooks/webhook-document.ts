import { Type } from 'typebox'
import { eventTypes } from '../../model/events/event-types.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf, ref } from '../../platform/http/openapi.ts'
import { EventSchema } from '../events/event.schema.ts'

/** The request body that a webhook receives: an event of the feed, or a test event. */
const WebhookEventSchema = Type.Object(
  {
    ...EventSchema.properties,
    type: OneOf([...eventTypes.keys(), 'webhook.test']),
    truncated: Type.Optional(
      Type.Boolean({ description: 'true: the event is too large and is sent without `before` and `after`' }),
    ),
  },
  { $id: 'WebhookEvent', ...closed },
)

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

/** The requests that the service sends, for the OpenAPI document. */
export const sentRequests = {
  event: {
    post: {
      tags: ['Webhooks'],
      operationId: 'receiveEvent',
      summary: 'Receive an event',
      description:
        'The service posts each event to the URL of the webhook, at least once and in order per object. Verify the signature, return 2xx within 15 seconds, and do the work afterwards. Status 410 disables the webhook. After any other status, the service tries again.',
      security: [],
      parameters: [
        header('webhook-id', 'Event id; the same in every attempt'),
        header('webhook-timestamp', 'Time of the attempt in Unix seconds'),
        header('webhook-signature', '`v1,` and the signature; one per secret, separated by spaces'),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: ref(WebhookEventSchema) } },
      },
      responses: {
        '2XX': { description: 'Received' },
        '410': { description: 'Gone: the webhook is disabled' },
      },
    },
  },
}
