import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { write } from '../network.ts'
import type { Passkey, Security } from '../wire.ts'

const account = '/console/api/account'

/** The password; none for users without one. */
export type Proof = { password?: string }
export type RecoveryCodes = { recovery_codes: string[] }
export type TotpSetup = { secret: string; uri: string }

export const beginTotp = (proof: Proof) => write<TotpSetup>('POST', `${account}/totp`, proof)
export const confirmTotp = (code: string) =>
  write<RecoveryCodes>('POST', `${account}/totp/confirm`, { code: code.trim() })
export const removeTotp = (proof: Proof) => write<Security>('POST', `${account}/totp/remove`, proof)
export const renewRecoveryCodes = (proof: Proof) =>
  write<RecoveryCodes>('POST', `${account}/recovery-codes`, proof)

export const beginPasskey = (proof: Proof) =>
  write<PublicKeyCredentialCreationOptionsJSON>('POST', `${account}/passkeys/options`, proof)
export const addPasskey = (name: string, credential: RegistrationResponseJSON) =>
  write<RecoveryCodes>('POST', `${account}/passkeys`, { name, credential })
export const renamePasskey = (id: number, name: string) =>
  write<Passkey[]>('PATCH', `${account}/passkeys/${id}`, { name })
export const removePasskey = (id: number, proof: Proof) =>
  write<Passkey[]>('POST', `${account}/passkeys/${id}/remove`, proof)

export const startLink = (proof: Proof) => write<{ url: string }>('POST', `${account}/company/link`, proof)

export const readNotices = () => write<Security>('POST', `${account}/notices/read`)
