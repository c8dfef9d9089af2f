import { Type } from 'typebox'
import { scopes } from '../../model/scopes.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { RateLimitSchema } from '../projects/project.schema.ts'
import { TokenSchema } from '../tokens/token.schema.ts'
import { AccessRequestSchema } from './access-request.schema.ts'

/** The content of Settings → API access. */
export const ApiAccessSchema = Type.Object(
  {
    locked: Type.Boolean(),
    base_url: Type.String(),
    plan: Type.String(),
    rate_limit: RateLimitSchema,
    request: Type.Union([AccessRequestSchema, Type.Null()], { description: 'The latest request' }),
    tokens: Type.Array(TokenSchema, { description: 'The first 20 tokens: valid ones first, newest first' }),
    self_service: Type.Object(
      { allowed: Type.Boolean(), scopes: Type.Array(OneOf([...scopes])) },
      { ...closed, description: 'Whether the user can create tokens, and with which scopes' },
    ),
    usage: Type.Array(Type.Object({ day: Type.String(), requests: Type.Integer() }, closed), {
      description: 'The last 30 days in UTC, oldest first',
    }),
  },
  closed,
)
export type ApiAccess = Type.Static<typeof ApiAccessSchema>
