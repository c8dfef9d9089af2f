import { Type } from 'typebox'
import { scopes } from '../../model/scopes.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { NameSchema } from '../../platform/http/request/name.schema.ts'
import { EnvelopeOf } from '../../platform/http/response/page-envelope.ts'
import { currencyPattern, mediaAccess, overrides, RateLimitSchema } from './project.schema.ts'

/** A project in the admin area. */
export const OperatorProjectSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    plan: Type.String(),
    api_access: OneOf(overrides, {
      description: "the operator's override; plan means that the plan decides",
    }),
    has_api_access: Type.Boolean(),
    rate_limit: RateLimitSchema,
    rate_limit_override: Type.String({ description: 'plan, none, or requests per second' }),
    self_service_tokens: OneOf(overrides, {
      description: 'whether managers of the project can create tokens; plan means that the plan decides',
    }),
    has_self_service_tokens: Type.Boolean(),
    self_service_scopes: Type.Union([Type.Array(OneOf([...scopes])), Type.Null()], {
      description:
        'scopes that such tokens can have; null means all except webhooks:manage, ai:run and ai:manage',
    }),
    media: OneOf(mediaAccess, { description: 'who can read media files without a token' }),
    currency: Type.String(),
    products: Type.Integer(),
    members: Type.Integer(),
    requests_30_days: Type.Integer(),
    active_tokens: Type.Integer({ description: 'neither revoked nor expired' }),
    created_at: Type.String({ format: 'date-time' }),
  },
  closed,
)
export type OperatorProject = Type.Static<typeof OperatorProjectSchema>

export const OperatorProjectPageSchema = EnvelopeOf(OperatorProjectSchema)

const PlanSchema = Type.String({ minLength: 1, maxLength: 64 })

export const NewProjectSchema = Type.Object(
  {
    name: NameSchema,
    plan: Type.Optional(PlanSchema),
    currency: Type.Optional(
      Type.String({ pattern: currencyPattern.source, description: 'an ISO 4217 code such as EUR' }),
    ),
  },
  closed,
)

export const ProjectChangesSchema = Type.Object(
  {
    plan: Type.Optional(PlanSchema),
    api_access: Type.Optional(OneOf(overrides)),
    self_service_tokens: Type.Optional(OneOf(overrides)),
    self_service_scopes: Type.Optional(
      Type.Union([Type.Array(OneOf([...scopes]), { minItems: 1, uniqueItems: true }), Type.Null()], {
        description: 'a list of scopes, or null for all except webhooks:manage, ai:run and ai:manage',
      }),
    ),
    media: Type.Optional(OneOf(mediaAccess)),
    rate_limit: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 999_999 }), OneOf(['none', 'plan'])], {
        description: 'requests per second up to 999999, "none" or "plan"',
      }),
    ),
  },
  closed,
)
