import { Type } from 'typebox'
import { longestPassword, shortestPassword } from './password.ts'
import { UserSchema } from './user.schema.ts'

const expires_at = Type.String({ format: 'date-time' })

/** The link is shown this once: the database has only the hash of its secret. */
export const InvitationLinkSchema = Type.Object(
  { link: Type.String(), expires_at },
  { additionalProperties: false },
)

export const InvitedUserSchema = Type.Object(
  { ...UserSchema.properties, ...InvitationLinkSchema.properties },
  { additionalProperties: false },
)
export type InvitedUser = Type.Static<typeof InvitedUserSchema>

const secret = Type.String({ minLength: 1, maxLength: 200 })

export const SecretSchema = Type.Object({ secret }, { additionalProperties: false })
export const AcceptanceSchema = Type.Object(
  { secret, newPassword: Type.String({ minLength: shortestPassword, maxLength: longestPassword }) },
  { additionalProperties: false },
)

/** What the link tells of itself to whoever has it. */
export const InvitationSchema = Type.Object(
  { email: Type.String(), name: Type.String(), expires_at },
  { additionalProperties: false },
)
export type Invitation = Type.Static<typeof InvitationSchema>
