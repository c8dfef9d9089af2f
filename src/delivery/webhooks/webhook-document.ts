import { Type } from 'typebox'
import { eventTypes } from '../../model/events/event-types.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf, ref } from '../../platform/http/openapi.ts'
import { EventSchema } from '../events/event.schema.ts'

/** What is posted to the address of a webhook: an event of the feed, or a test. */
const WebhookEventSchema = Type.Object(
  {
    ...EventSchema.properties,
    type: OneOf([...eventTypes.keys(), 'webhook.test']),
    truncated: Type.Optional(
      Type.Boolean({ description: 'true: the event is large, and came without `before` and `after`' }),
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

/** The requests that the service sends, as the document describes them. */
export const sentRequests = {
  event: {
    post: {
      tags: ['Webhooks'],
      operationId: 'receiveEvent',
      summary: 'Receive an event',
      description:
        'The service posts each event to the address of the webhook, at least once and in order for each object. Verify the signature, return 2xx within 15 seconds, and do the work afterwards. 410 disables the webhook; any other status is tried again.',
      security: [],
      parameters: [
        header('webhook-id', 'The id of the event; the same in every try'),
        header('webhook-timestamp', 'When it was sent, in Unix seconds'),
        header('webhook-signature', '`v1,` and the signature, one for each secret, between spaces'),
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
