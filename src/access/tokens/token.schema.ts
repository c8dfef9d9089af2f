import { Type } from 'typebox'
import { scopes } from '../../model/scopes.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { NameSchema } from '../../platform/http/request/name.schema.ts'

const TimeOrNull = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const Scopes = Type.Array(OneOf([...scopes]), { minItems: 1, uniqueItems: true })

/** A token in the console, without the secret. */
export const TokenSchema = Type.Object(
  {
    id: Type.Integer(),
    project: Type.Integer(),
    name: Type.String(),
    last_characters: Type.Union([Type.String(), Type.Null()], {
      description: 'null until the token is shown',
    }),
    scopes: Scopes,
    created_at: Type.String({ format: 'date-time' }),
    expires_at: TimeOrNull,
    revoked_at: TimeOrNull,
    last_used_at: TimeOrNull,
    successor_id: Type.Union([Type.Integer(), Type.Null()]),
    shown: Type.Boolean({ description: 'false until a member shows the token, once' }),
    self_service: Type.Boolean({ description: 'created by a member of the project' }),
  },
  closed,
)

export type Token = Type.Static<typeof TokenSchema>

export const IssuedTokenSchema = Type.Object({ ...TokenSchema.properties, token: Type.String() }, closed)

export const NewTokenSchema = Type.Object(
  {
    name: NameSchema,
    scopes: Type.Optional(Scopes),
    expires_at: Type.Optional(TimeOrNull),
  },
  closed,
)

export const RotationSchema = Type.Object(
  {
    overlap: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,6}[smhd]$', description: 'a duration such as 30m, 24h or 7d' }),
    ),
  },
  closed,
)
