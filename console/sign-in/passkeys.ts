import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { readCode } from '../network.ts'
import { givePasskey, startPasskey } from './changes.ts'
import { strings } from './strings.ts'

/** Loaded at the first use: most sign-ins use a password. */
const load = () => readCode(() => import('@simplewebauthn/browser'))

const hint = 'catalog-passkey'

/** Whether a passkey was used in this browser before. Only then, the email field offers passkeys. */
export const isPasskeyKnown = () => localStorage.getItem(hint) !== null

/** Browsers allow passkeys for host names only, and only over HTTPS or on this machine. */
export const arePasskeysPossible = () =>
  window.PublicKeyCredential !== undefined && window.isSecureContext && !isIpAddress(location.hostname)

function isIpAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.startsWith('[')
}

/** Asks the browser for a passkey and sends it. */
export async function enterWithPasskey(step: 'sign-in' | 'second-factor'): Promise<void> {
  const options = await startPasskey(step)
  const { startAuthentication } = await load()
  await givePasskey(step, await startAuthentication({ optionsJSON: options }).catch(explain))
  localStorage.setItem(hint, '1')
}

/** Offers passkeys in the email field, until the user chooses one or another request for a passkey starts. */
export async function offerPasskeys(): Promise<boolean> {
  const { browserSupportsWebAuthnAutofill, startAuthentication } = await load()
  if (!(await browserSupportsWebAuthnAutofill())) return false
  const optionsJSON: PublicKeyCredentialRequestOptionsJSON = await startPasskey('sign-in')
  const credential = await startAuthentication({ optionsJSON, useBrowserAutofill: true }).catch(
    () => undefined,
  )
  if (credential === undefined) return false
  await givePasskey('sign-in', credential)
  return true
}

/** Ends the offer in the email field, when the page closes. */
export async function stopOffering(): Promise<void> {
  const { WebAuthnAbortService } = await load()
  WebAuthnAbortService.cancelCeremony()
}

export async function createPasskey(
  optionsJSON: PublicKeyCredentialCreationOptionsJSON,
): Promise<RegistrationResponseJSON> {
  const { startRegistration } = await load()
  const credential = await startRegistration({ optionsJSON }).catch(explain)
  localStorage.setItem(hint, '1')
  return credential
}

/** Browsers describe their errors for developers. */
function explain(error: Error): never {
  const { cause } = error as { cause?: Error }
  const name = cause?.name ?? error.name
  throw new Error(strings.passkey.errors[name] ?? strings.passkey.failed)
}
