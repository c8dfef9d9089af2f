import { Type } from 'typebox'
import { OneOf } from '../../platform/http/openapi.ts'
import { EnvelopeOf, pageParameters } from '../../platform/http/response/page-envelope.ts'
import { WebhookSchema } from './webhook.schema.ts'

export const troubledStates = ['failing', 'disabled'] as const

const Project = Type.Object(
  { id: Type.Integer(), name: Type.String() },
  { additionalProperties: false, description: 'Whose webhook it is' },
)
const OperatorWebhookSchema = Type.Object(
  { ...WebhookSchema.properties, project: Project },
  { additionalProperties: false },
)
export type OperatorWebhook = Type.Static<typeof OperatorWebhookSchema>
export const OperatorWebhookPageSchema = EnvelopeOf(OperatorWebhookSchema)

export const OperatorWebhookQuerySchema = Type.Object({
  state: Type.Optional(OneOf(troubledStates)),
  ...pageParameters,
})
