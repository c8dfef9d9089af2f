import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { totpCode } from '../../src/access/second-factors/totp.ts'

/** The secret that the set-up dialog shows, as the library reads it. */
export async function shownSecret(page: Page): Promise<string> {
  const secret = page.getByRole('dialog').getByText(/^[A-Z2-7]{30,}$/)
  return readSecret((await secret.textContent()) ?? '')
}

function readSecret(typed: string): string {
  const bits = [...typed].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** Sets up an authenticator app for the signed-in user, without the dialogs. */
export async function addApp(
  { request }: BrowserContext,
  origin: string,
  { password }: { password: string },
): Promise<void> {
  const send = async (path: string, data: object) =>
    (await request.post(`/console/api/account/totp${path}`, { data, headers: { origin } })).json()
  const { secret } = await send('', { password })
  const { recovery_codes } = await send('/confirm', { code: await totpNow(readSecret(secret), 0) })
  expect(recovery_codes).toHaveLength(10)
}

/** The code of the current half minute, or of the next one. A code can be used once, and is still valid in the half minute after it. */
export function totpNow(secret: string, offset: number): Promise<string> {
  return totpCode(secret, Math.floor(Date.now() / 30_000) + offset)
}

/** A fingerprint reader that accepts every finger. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
