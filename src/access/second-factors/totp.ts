import { randomBytes, timingSafeEqual } from 'node:crypto'
import { base32 } from '@better-auth/utils/base32'
import { createOTP } from '@better-auth/utils/otp'
import { openSealedText, sealText } from '../../platform/secrets/sealed-text.ts'
import { secondFactorLimits } from '../limits.ts'

/** Accepts the codes before and after the current one, because clocks differ. */
const toleratedSteps = [-1, 0, 1]

/** Latin letters and digits: the library reads the secret as text, and authenticator apps read its base32 form. */
export function createTotpSecret(): string {
  return randomBytes(20).toString('base64url')
}

/** The secret as users type it into an authenticator app. */
export function typedSecret(secret: string): string {
  return base32.encode(secret, { padding: false })
}

/** The content of the QR code. */
export function totpUri(secret: string, email: string): string {
  return createOTP(secret).url('Catalog Service', email)
}

/** The time step of a code; undefined if the code is wrong. */
export async function findStep(secret: string, code: string, now = Date.now()): Promise<number | undefined> {
  const current = Math.floor(now / 1000 / secondFactorLimits.totpSeconds)
  const otp = createOTP(secret)
  let found: number | undefined
  for (const offset of toleratedSteps)
    if (isSame(await otp.hotp(current + offset), code)) found = current + offset
  return found
}

export async function totpCode(secret: string, step: number): Promise<string> {
  return createOTP(secret).hotp(step)
}

/** The user ID is part of the key: a secret that is copied to another user cannot be read. */
export function sealTotpSecret(authSecret: string, userId: number, secret: string): string {
  return sealText(authSecret, purposeOf(userId), secret)
}

/** Undefined if the service has another secret for sign-ins than when the app was set up. */
export function openTotpSecret(authSecret: string, userId: number, sealed: string): string | undefined {
  return openSealedText(authSecret, purposeOf(userId), sealed)
}

function purposeOf(userId: number): string {
  return `authenticator app of user ${userId}`
}

function isSame(expected: string, sent: string): boolean {
  return expected.length === sent.length && timingSafeEqual(Buffer.from(expected), Buffer.from(sent))
}
