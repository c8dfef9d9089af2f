import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Database } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import { secondFactorLimits } from '../limits.ts'
import { findCredential, type NewPasskey, recordPasskeyUse, type StoredPasskey } from './passkey.sql.ts'
import { takeChallenge } from './second-factor.sql.ts'

/** The site that passkeys belong to: the host of the base URL. */
type Site = { origin: string; host: string }

export function siteOf(request: FastifyRequest): Site {
  const origin = baseUrlOf(request)
  return { origin, host: new URL(origin).hostname }
}

/** Loaded at the first use, because few requests need it. */
const load = () => import('@simplewebauthn/server')

const timeout = secondFactorLimits.stepSeconds * 1000

type NewOwner = { userId: number; email: string; name: string; known: readonly StoredPasskey[] }

export async function registrationOptions(site: Site, { userId, email, name, known }: NewOwner) {
  const { generateRegistrationOptions } = await load()
  return generateRegistrationOptions({
    rpName: 'Catalog Service',
    rpID: site.host,
    userID: Uint8Array.from(createHash('sha256').update(`user ${userId}`).digest()),
    userName: email,
    userDisplayName: name || email,
    timeout,
    attestationType: 'none',
    excludeCredentials: known.map(descriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
}

/** Without known passkeys, the browser offers every passkey of the site. */
export async function authenticationOptions(site: Site, known?: readonly StoredPasskey[]) {
  const { generateAuthenticationOptions } = await load()
  return generateAuthenticationOptions({
    rpID: site.host,
    timeout,
    ...(known && { allowCredentials: known.map(descriptor) }),
    userVerification: known === undefined ? 'required' : 'preferred',
  })
}

type RegistrationResponse = Parameters<Library['verifyRegistrationResponse']>[0]['response']
type AuthenticationResponse = Parameters<Library['verifyAuthenticationResponse']>[0]['response']
type Library = Awaited<ReturnType<typeof load>>

export async function checkRegistration(
  database: Database,
  site: Site,
  challenge: string,
  response: unknown,
): Promise<Omit<NewPasskey, 'name'>> {
  const { verifyRegistrationResponse } = await load()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: response as RegistrationResponse,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: false,
  }).catch(refused)
  if (!verified || registrationInfo === undefined) throw new Problem('wrong_passkey')
  await takeOnce(database, challenge)
  const { credential } = registrationInfo
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    sign_count: credential.counter,
    transports: credential.transports ?? [],
  }
}

/** As the sole factor, the device must also verify its user: by a fingerprint, a face or a PIN. */
export async function checkAuthentication(
  database: Database,
  site: Site,
  challenge: string,
  response: unknown,
  isSoleFactor: boolean,
): Promise<StoredPasskey> {
  const { verifyAuthenticationResponse } = await load()
  const given = response as AuthenticationResponse
  const passkey = await findCredential(database, given.id)
  if (passkey === undefined) throw new Problem('wrong_passkey')
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: given,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    credential: {
      id: passkey.credential_id,
      publicKey: Uint8Array.from(passkey.public_key),
      counter: passkey.sign_count,
    },
    requireUserVerification: isSoleFactor,
  }).catch(refused)
  if (!verified) throw new Problem('wrong_passkey')
  await takeOnce(database, challenge)
  if (!(await recordPasskeyUse(database, passkey, authenticationInfo.newCounter)))
    throw new Problem('wrong_passkey')
  return passkey
}

async function takeOnce(database: Database, challenge: string): Promise<void> {
  const key = createHash('sha256').update(`passkey ${challenge}`).digest()
  if (!(await takeChallenge(database, key, secondFactorLimits.stepSeconds)))
    throw new Problem('wrong_passkey')
}

/** The library throws plain errors for responses that do not match. */
function refused(): never {
  throw new Problem('wrong_passkey')
}

function descriptor({ credential_id, transports }: StoredPasskey) {
  return { id: credential_id, transports } as { id: string; transports: [] }
}
