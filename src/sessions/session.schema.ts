import { Type } from 'typebox'
import { OneOf } from '../http/openapi.ts'
import { memberRoles } from './roles.ts'

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
          role: OneOf([...memberRoles, 'operator'], {
            description: 'viewers read, editors write and propose, managers apply and decide',
          }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type Session = Type.Static<typeof SessionSchema>
