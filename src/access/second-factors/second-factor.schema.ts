import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { plainName } from '../../platform/http/request/name.schema.ts'
import { requestLimits } from '../../platform/limits/requests.ts'
import { accountLimits } from '../limits.ts'
import { memberRoles } from '../roles.ts'

const time = { format: 'date-time' }

export const PasskeySchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    created_at: Type.String(time),
    last_used_at: Type.Unsafe<string | null>({ type: ['string', 'null'], ...time }),
  },
  closed,
)
export type Passkey = Type.Static<typeof PasskeySchema>

/** The second factors of the signed-in user. */
export const SecuritySchema = Type.Object(
  {
    has_password: Type.Boolean(),
    totp: Type.Boolean({ description: 'whether an authenticator app is set up' }),
    passkeys: Type.Array(PasskeySchema),
    recovery_codes: Type.Integer({ description: 'number of unused recovery codes' }),
    required: Type.Boolean({ description: 'whether a role of the user requires a second factor' }),
  },
  closed,
)
export type Security = Type.Static<typeof SecuritySchema>

/** Users without a password need a recent sign-in instead. */
const password = Type.Optional(Type.String({ maxLength: accountLimits.passwordCharacters }))
export const ProofSchema = Type.Object({ password }, closed)

export const CodeSchema = Type.Object(
  {
    code: Type.String({
      pattern: '^\\s*\\d{3}\\s?\\d{3}\\s*$',
      maxLength: 20,
      description: 'the six digits that the authenticator app shows',
    }),
  },
  closed,
)
export const RecoveryCodeSchema = Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) }, closed)

export const TotpSetupSchema = Type.Object(
  {
    secret: Type.String({ description: 'for apps that cannot read the QR code' }),
    uri: Type.String({ description: 'the content of the QR code' }),
  },
  closed,
)

/** Shown only once: the database stores hashes. */
export const RecoveryCodesSchema = Type.Object({ recovery_codes: Type.Array(Type.String()) }, closed)

const PasskeyNameSchema = Type.String({
  minLength: 1,
  maxLength: requestLimits.nameCharacters,
  'x-normalised': true,
  ...plainName,
})
export const PasskeyNameBodySchema = Type.Object({ name: PasskeyNameSchema }, closed)

/** What the browser returns, in the JSON form of the Web Authentication standard. The library checks its content. */
export const CredentialSchema = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 2_000 }),
  rawId: Type.String({ maxLength: 2_000 }),
  type: Type.Literal('public-key'),
  response: Type.Record(Type.String({ maxLength: 50 }), Type.Unknown()),
})
export const NewPasskeySchema = Type.Object({ name: PasskeyNameSchema, credential: CredentialSchema }, closed)

/** Options for the browser, in the JSON form of the Web Authentication standard. */
export const PasskeyOptionsSchema = Type.Record(Type.String(), Type.Unknown())

export const RequiredRolesSchema = Type.Object(
  { roles: Type.Array(OneOf([...memberRoles, 'operator']), { maxItems: 4, uniqueItems: true }) },
  closed,
)
export type RequiredRoles = Type.Static<typeof RequiredRolesSchema>
