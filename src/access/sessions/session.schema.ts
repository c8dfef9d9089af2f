import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { EnvelopeOf } from '../../platform/http/response/page-envelope.ts'
import { memberRoles } from '../roles.ts'

/** A project, for users who can open it. */
export const SessionProjectSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    plan: Type.String(),
    currency: Type.String(),
    api_access: Type.Boolean(),
    public_media: Type.Boolean({
      description: 'whether anyone can read its media files by their URLs; otherwise only its members can',
    }),
    has_views: Type.Boolean({ description: 'whether it has languages, channels or price lists' }),
    role: OneOf([...memberRoles, 'operator'], {
      description: 'viewers read, editors write and propose, managers also apply and manage',
    }),
  },
  closed,
)
export type SessionProject = Type.Static<typeof SessionProjectSchema>
export const SessionProjectPageSchema = EnvelopeOf(SessionProjectSchema)

const OpenSessionSchema = Type.Object(
  {
    id: Type.Integer(),
    user_agent: Type.Union([Type.String(), Type.Null()]),
    ip_address: Type.Union([Type.String(), Type.Null()]),
    created_at: Type.String({ format: 'date-time' }),
    last_seen_at: Type.String({ format: 'date-time', description: 'accurate to a few minutes' }),
    current: Type.Boolean({ description: 'whether it is the session of this request' }),
  },
  closed,
)
export type OpenSession = Type.Static<typeof OpenSessionSchema>
export const OpenSessionPageSchema = EnvelopeOf(OpenSessionSchema)

/** The signed-in user and the projects to choose from. */
export const SessionSchema = Type.Object(
  {
    user: Type.Object(
      {
        id: Type.Integer(),
        email: Type.String(),
        name: Type.String(),
        operator: Type.Boolean(),
        lacks_second_factor: Type.Boolean({
          description: 'whether the user must set up a second factor before anything else',
        }),
        second_factor_reset_at: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          format: 'date-time',
          description: 'when an operator reset the second factor, until the user has read the notice',
        }),
      },
      closed,
    ),
    projects: Type.Array(SessionProjectSchema, { description: 'The first 20' }),
    project_count: Type.Integer({ description: 'number of all projects that the user can open' }),
  },
  closed,
)
export type Session = Type.Static<typeof SessionSchema>
