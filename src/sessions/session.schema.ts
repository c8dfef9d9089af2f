import { Type } from 'typebox'
import { OneOf } from '../http/openapi.ts'

/** Who is signed in, and what they may choose from. */
export const SessionSchema = Type.Object(
  {
    user: Type.Object(
      { id: Type.Integer(), email: Type.String(), name: Type.String(), operator: Type.Boolean() },
      { additionalProperties: false },
    ),
    projects: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          name: Type.String(),
          plan: Type.String(),
          currency: Type.String(),
          api_access: Type.Boolean(),
          role: OneOf(['member', 'operator']),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type Session = Type.Static<typeof SessionSchema>
