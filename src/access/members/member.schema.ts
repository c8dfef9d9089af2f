import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { searchParameter } from '../../platform/http/query/search-parameter.ts'
import { EnvelopeOf, pageParameters } from '../../platform/http/response/page-envelope.ts'
import { memberRoles } from '../roles.ts'
import { EmailSchema } from '../users/user.schema.ts'

const Time = Type.String({ format: 'date-time' })
const Role = OneOf(memberRoles)

/** A member, as managers of the project see it: nothing about other projects. */
export const MemberSchema = Type.Object(
  {
    id: Type.Integer({ description: 'ID of the user' }),
    email: Type.String(),
    name: Type.String(),
    role: Role,
    created_at: Time,
  },
  closed,
)
export type Member = Type.Static<typeof MemberSchema>
export const MemberPageSchema = EnvelopeOf(MemberSchema)

export const MemberQuerySchema = Type.Object({
  search: searchParameter('the email or the name'),
  role: Type.Optional(Role),
  ...pageParameters,
})
export type MemberFilters = Pick<Type.Static<typeof MemberQuerySchema>, 'search' | 'role'>

export const MemberChangesSchema = Type.Object({ role: Role }, closed)

/** An invitation that waits for its recipient. It does not show whether the email has an account. */
const MemberInvitationSchema = Type.Object(
  {
    id: Type.Integer(),
    email: Type.String(),
    role: Role,
    invited_by: Type.String(),
    created_at: Time,
    expires_at: Time,
  },
  closed,
)
export type MemberInvitation = Type.Static<typeof MemberInvitationSchema>
export const MemberInvitationPageSchema = EnvelopeOf(MemberInvitationSchema)

export const NewMemberSchema = Type.Object({ email: EmailSchema, role: Role }, closed)
export type NewMember = Type.Static<typeof NewMemberSchema>

/** The link is shown only once: the database stores only the hash of its secret. */
export const InvitedMemberSchema = Type.Object(
  { ...MemberInvitationSchema.properties, link: Type.String() },
  closed,
)
