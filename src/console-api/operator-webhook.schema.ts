import { Type } from 'typebox'
import { WebhookSchema } from '../delivery/webhooks/webhook.schema.ts'
import { closed } from '../platform/http/closed.ts'
import { OneOf } from '../platform/http/openapi.ts'
import { EnvelopeOf, pageParameters } from '../platform/http/response/page-envelope.ts'

export const unhealthyStates = ['failing', 'disabled'] as const

const Project = Type.Object(
  { id: Type.Integer(), name: Type.String() },
  { ...closed, description: 'Project of the webhook' },
)
const OperatorWebhookSchema = Type.Object({ ...WebhookSchema.properties, project: Project }, closed)
export type OperatorWebhook = Type.Static<typeof OperatorWebhookSchema>
export const OperatorWebhookPageSchema = EnvelopeOf(OperatorWebhookSchema)

export const OperatorWebhookQuerySchema = Type.Object({
  state: Type.Optional(OneOf(unhealthyStates)),
  ...pageParameters,
})
