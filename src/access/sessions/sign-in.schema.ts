import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'

/** The ways to give the second factor that a user can choose from. */
const factorMethods = ['totp', 'passkey', 'recovery_code'] as const
export type FactorMethod = (typeof factorMethods)[number]

/** `success` is false while the second factor is missing. */
export const EntrySchema = Type.Object(
  {
    success: Type.Boolean(),
    second_factor: Type.Optional(
      Type.Array(OneOf([...factorMethods]), { description: 'the ways to give the second factor' }),
    ),
  },
  closed,
)
export type EntryResult = Type.Static<typeof EntrySchema>

/** The ways to sign in that the operator allows. */
export const MethodsSchema = Type.Object(
  {
    password: Type.Boolean(),
    passkey: Type.Boolean(),
    company: Type.Boolean(),
    operators_only: Type.Boolean({
      description: 'whether only operators can sign in with a password or a passkey',
    }),
  },
  closed,
)
export type SignInMethods = Type.Static<typeof MethodsSchema>
