import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { accountLimits } from '../limits.ts'
import { memberRoles } from '../roles.ts'
import { UserSchema } from './user.schema.ts'

const expires_at = Type.String({ format: 'date-time' })

/** The link is shown only once: the database stores only the hash of its secret. */
export const InvitationLinkSchema = Type.Object({ link: Type.String(), expires_at }, closed)

export const InvitedUserSchema = Type.Object(
  { ...UserSchema.properties, ...InvitationLinkSchema.properties },
  closed,
)
export type InvitedUser = Type.Static<typeof InvitedUserSchema>

const secret = Type.String({ minLength: 1, maxLength: 200 })

export const SecretSchema = Type.Object({ secret }, closed)
export const AcceptanceSchema = Type.Object(
  {
    secret,
    newPassword: Type.String({
      minLength: accountLimits.passwordLeastCharacters,
      maxLength: accountLimits.passwordCharacters,
    }),
  },
  closed,
)

/** What the holder of the link sees. */
export const InvitationSchema = Type.Object(
  {
    email: Type.String(),
    name: Type.String(),
    expires_at,
    project: Type.Union(
      [Type.Object({ name: Type.String(), role: OneOf(memberRoles) }, closed), Type.Null()],
      { description: 'The project that the user joins; null if an operator created the account' },
    ),
  },
  closed,
)
export type Invitation = Type.Static<typeof InvitationSchema>
