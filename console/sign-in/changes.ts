import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { read, write } from '../network.ts'
import type { EntryResult, SignInMethods } from '../wire.ts'

const auth = '/console/auth'

/** Which ways to sign in the operator allows. */
export const readMethods = () => read<SignInMethods>(`${auth}/methods`)

/** The address of the provider's sign-in page. */
export const startCompany = (next: string) =>
  write<{ url: string }>('POST', `${auth}/company/start`, { next })

/** The ways to give the second factor after a sign-in with a company account. */
export const readSecondFactor = () => read<EntryResult>(`${auth}/second-factor`)

export const giveCode = (code: string) => write<EntryResult>('POST', `${auth}/second-factor/totp`, { code })
export const giveRecoveryCode = (code: string) =>
  write<EntryResult>('POST', `${auth}/second-factor/recovery-code`, { code })

/** The step of a sign-in in which a passkey is used. */
type PasskeyStep = 'sign-in' | 'second-factor'

export const startPasskey = (step: PasskeyStep) =>
  write<PublicKeyCredentialRequestOptionsJSON>('POST', `${auth}/${step}/passkey-options`)
export const givePasskey = (step: PasskeyStep, credential: AuthenticationResponseJSON) =>
  write<EntryResult>('POST', `${auth}/${step}/passkey`, { credential })
