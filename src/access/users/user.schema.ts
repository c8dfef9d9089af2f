import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { plainName } from '../../platform/http/request/name.schema.ts'
import { EnvelopeOf } from '../../platform/http/response/page-envelope.ts'
import { requestLimits } from '../../platform/limits/requests.ts'
import { accountLimits } from '../limits.ts'
import { NamedProjectSchema } from '../named-project.schema.ts'
import { memberRoles } from '../roles.ts'

/** Only emails that better-auth accepts: users could not sign in with others. */
export const EmailSchema = Type.String({
  maxLength: accountLimits.emailCharacters,
  'x-normalised': true,
  pattern: "^[A-Za-z0-9_+-]+([.'][A-Za-z0-9_+-]+)*@([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z]{2,}$",
  description: 'an email address such as member@shop.example',
})
const PersonNameSchema = Type.String({
  maxLength: requestLimits.nameCharacters,
  'x-normalised': true,
  ...plainName,
})

/** A console account, as operators see it. */
export const UserSchema = Type.Object(
  {
    id: Type.Integer(),
    email: Type.String(),
    name: Type.String(),
    operator: Type.Boolean(),
    projects: Type.Array(Type.Object({ ...NamedProjectSchema.properties, role: OneOf(memberRoles) }, closed)),
    created_at: Type.String({ format: 'date-time' }),
    disabled_at: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
    last_sign_in_at: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
    has_password: Type.Boolean({ description: 'false until an invited user chooses one' }),
    second_factors: Type.Array(OneOf(['totp', 'passkey']), {
      description: 'an authenticator app, passkeys, or both',
    }),
    company_account: Type.Unsafe<'linked' | 'waiting' | null>({
      enum: ['linked', 'waiting', null],
      description: 'linked, or waiting for the first sign-in with it',
    }),
    invited_until: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'when the invitation link expires',
    }),
  },
  closed,
)
export type User = Type.Static<typeof UserSchema>

export const UserPageSchema = EnvelopeOf(UserSchema)

const ProjectIdSchema = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const settings = {
  name: Type.Optional(PersonNameSchema),
  operator: Type.Optional(Type.Boolean()),
  project_ids: Type.Optional(
    Type.Array(ProjectIdSchema, {
      maxItems: accountLimits.memberships,
      description: 'Projects of the user; a new member becomes a manager, existing members keep their roles',
    }),
  ),
  memberships: Type.Optional(
    Type.Array(Type.Object({ project_id: ProjectIdSchema, role: OneOf(memberRoles) }, closed), {
      maxItems: accountLimits.memberships,
      description: 'Projects of the user with the role in each; use it instead of project_ids',
    }),
  ),
}

export const NewUserSchema = Type.Object({ email: EmailSchema, ...settings }, closed)
export type NewUser = Type.Static<typeof NewUserSchema>

export const UserChangesSchema = Type.Object(settings, closed)
export type UserChanges = Type.Static<typeof UserChangesSchema>

/** The password is shown only once: the database stores only its hash. */
export const IssuedUserSchema = Type.Object({ ...UserSchema.properties, password: Type.String() }, closed)
export type IssuedUser = Type.Static<typeof IssuedUserSchema>
