import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { NameSchema } from '../../platform/http/request/name.schema.ts'
import { EnvelopeOf, pageParameters } from '../../platform/http/response/page-envelope.ts'
import { accountLimits } from '../limits.ts'
import { NamedProjectSchema } from '../named-project.schema.ts'
import { TokenSchema } from '../tokens/token.schema.ts'

export const accessRequestStates = ['open', 'approved', 'declined'] as const
const TextOrNull = Type.Union([Type.String(), Type.Null()])
const ReasonSchema = Type.String({
  minLength: 1,
  maxLength: accountLimits.reasonCharacters,
  'x-normalised': true,
})

export const AccessRequestSchema = Type.Object(
  {
    id: Type.Integer(),
    project: NamedProjectSchema,
    name: Type.String(),
    email: Type.String(),
    purpose: Type.String(),
    state: OneOf([...accessRequestStates]),
    reason: TextOrNull,
    created_at: Type.String(),
    decided_at: TextOrNull,
    decided_by: TextOrNull,
  },
  closed,
)
export type AccessRequest = Type.Static<typeof AccessRequestSchema>

export const AccessRequestPageSchema = EnvelopeOf(AccessRequestSchema)
export const AccessRequestQuerySchema = Type.Object({
  state: Type.Optional(OneOf([...accessRequestStates])),
  ...pageParameters,
})

/** What the contact form sends. */
export const NewAccessRequestSchema = Type.Object(
  {
    name: NameSchema,
    email: Type.String({ format: 'email', maxLength: accountLimits.emailCharacters, 'x-normalised': true }),
    purpose: Type.String({ minLength: 1, maxLength: accountLimits.reasonCharacters, 'x-normalised': true }),
  },
  closed,
)
export type NewAccessRequest = Type.Static<typeof NewAccessRequestSchema>

export const DeclineSchema = Type.Object({ reason: ReasonSchema }, closed)

export const ApprovedRequestSchema = Type.Object(
  { ...AccessRequestSchema.properties, token: TokenSchema },
  closed,
)
