import { Problem } from '../../platform/http/problems.ts'
import { boundedFetch } from '../../platform/outbound/bounded-fetch.ts'
import { secondFactorLimits } from '../limits.ts'
import type { CompanySettings } from './company-settings.ts'

/** What the service remembers while the user is at the provider. */
export type Started = { state: string; nonce: string; verifier: string }

/** Who signed in at the provider. All values are verified. */
export type Identity = {
  subject: string
  email: string
  name: string
  groups: string[]
  /** Whether the provider asked for a second factor. */
  second_factor: boolean
}

type Claims = Record<string, unknown>

/** Loaded at the first sign-in with a company account: other services neither wait for the library nor hold it in memory. */
const load = () => import('openid-client')
type Library = Awaited<ReturnType<typeof load>>
type Discovered = { library: Library; config: Awaited<ReturnType<Library['discovery']>> }

/** An OpenID provider. openid-client verifies its responses: issuer, audience, expiry, signature, state, nonce and PKCE. */
export function openProvider(settings: CompanySettings) {
  let known: { settings: Promise<Discovered>; until: number } | undefined

  /**
   * Read again after an hour, because providers change their endpoints and keys. All sign-ins share one request, so that clients without
   * a session cannot make the service flood a provider that is down.
   */
  function discovered(): Promise<Discovered> {
    if (known !== undefined && known.until > Date.now()) return known.settings
    const reading = { settings: discover(settings), until: Number.POSITIVE_INFINITY }
    const keepFor = (seconds: number) => () => {
      reading.until = Date.now() + seconds * 1000
    }
    reading.settings.then(
      keepFor(secondFactorLimits.discoverySeconds),
      keepFor(secondFactorLimits.discoveryRetrySeconds),
    )
    known = reading
    return reading.settings
  }

  return {
    /** The address of the provider's sign-in page. */
    async start(redirectUri: string): Promise<Started & { url: string }> {
      const { library, config } = await discovered().catch(throwUnavailable)
      const [state, nonce] = [library.randomState(), library.randomNonce()]
      const verifier = library.randomPKCECodeVerifier()
      const url = library.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { state, nonce, verifier, url: url.href }
    },

    /** Exchanges the code in the URL that the provider sent the browser to. */
    async finish(currentUrl: URL, { state, nonce, verifier }: Started): Promise<Identity> {
      const { library, config } = await discovered().catch(throwUnavailable)
      const tokens = await library
        .authorizationCodeGrant(config, currentUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        .catch(throwFailure)
      const own = tokens.claims() as Claims & { sub: string }
      if (!needsUserInfo(own, settings)) return identityOf(own, settings)
      // The library rejects the user info of another subject.
      const more = await library.fetchUserInfo(config, tokens.access_token, own.sub).catch(throwFailure)
      const isSameEmail = own['email'] === undefined || own['email'] === more.email
      return identityOf({ ...more, ...(!isSameEmail && unverified), ...own }, settings)
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: CompanySettings): Promise<Discovered> {
  const library = await load()
  const isPlain = issuer.startsWith('http:')
  const config = await library.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    [library.customFetch]: (url, { body, ...init }) =>
      boundedFetch(url, { ...init, ...(body !== undefined && { body }) }),
    execute: [
      // Without it, the library would trust the connection instead of the signature.
      library.enableNonRepudiationChecks,
      ...(isPlain ? [library.allowInsecureRequests] : []),
    ],
  })
  return { library, config }
}

/** A verification in the user info does not apply to another email in the ID token. */
const unverified = { email_verified: undefined, xms_edov: undefined }

/** Many providers put email and groups only into the user info. */
function needsUserInfo(claims: Claims, { groups, groupsClaim }: CompanySettings): boolean {
  return claims['email'] === undefined || (groups !== undefined && claims[groupsClaim] === undefined)
}

function identityOf(claims: Claims & { sub: string }, settings: CompanySettings): Identity {
  const { sub: subject, email, name, amr } = claims
  // Microsoft Entra reports a verified email in another claim.
  const isVerified = claims['email_verified'] === true || isTrue(claims['xms_edov'])
  if (typeof email !== 'string' || !isVerified) throw new Problem('company_email_unverified')
  return {
    subject,
    email: email.toLowerCase(),
    name: typeof name === 'string' ? plainText(name) : '',
    groups: textsOf(claims[settings.groupsClaim]),
    second_factor: textsOf(amr).includes('mfa'),
  }
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true'
}

function textsOf(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === 'string')
}

function plainText(name: string): string {
  return name
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim()
    .slice(0, 200)
}

function throwUnavailable(error: Error): never {
  throw failure('company_sign_in_unavailable', error)
}

/** Errors of the connection are not the client's; every other error is a response that was not accepted. */
function throwFailure(error: Error & { code?: string }): never {
  const isUnreachable = error instanceof TypeError || error.name === 'TimeoutError'
  throw failure(isUnreachable ? 'company_sign_in_unavailable' : 'company_sign_in_failed', error)
}

/** The cause is for the log of the service. */
function failure(code: 'company_sign_in_unavailable' | 'company_sign_in_failed', cause: Error): Problem {
  return Object.assign(new Problem(code), { cause })
}
