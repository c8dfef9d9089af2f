import { createSign, generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Configuration, JWK, Provider } from 'oidc-provider'
import { whenFileEnds } from './setup/file-end.ts'

/** A person at the provider. */
export type Person = {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
  /** Whether the provider asked for a second factor. */
  mfa?: boolean
}

export type TestProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who signs in next. */
  person: Person
  /** Changes the ID token that the provider returns; undefined leaves it as it is. */
  change: ((token: string) => string) | undefined
  /** Signs a token with the key of the provider. */
  sign(claims: object, header?: object): string
  /** The service that the provider sends browsers back to. */
  allow(...serviceUrls: string[]): void
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const keyId = 'test'

/** The provider prints that it is set up for tests, and that this Node release is not yet LTS. */
function silenceProvider(): void {
  for (const level of ['info', 'warn'] as const) {
    const print = console[level]
    console[level] = (...parts: unknown[]) => {
      if (!String(parts[0]).startsWith('oidc-provider ')) print(...parts)
    }
    whenFileEnds(() => {
      console[level] = print
    })
  }
}

/** A real OpenID provider on this machine, which signs everyone in without asking. */
export async function startProvider(): Promise<TestProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = (_request, response) =>
    response.end()
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  whenFileEnds(() => new Promise((resolve) => server.closeAllConnections() ?? server.close(resolve)))
  silenceProvider()
  const { Provider } = await import('oidc-provider')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const test: TestProvider = {
    issuer,
    clientId: 'catalog',
    clientSecret: 'the secret of the client, long enough',
    person: { sub: 'nobody' },
    change: undefined,
    sign: (claims, header = {}) => signed({ alg: 'RS256', kid: keyId, typ: 'JWT', ...header }, claims),
    allow(...urls) {
      handle = handlerOf(new Provider(issuer, settingsOf(test, urls)), test)
    },
  }
  return test
}

function settingsOf(test: TestProvider, urls: string[]): Configuration {
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }
  return {
    clients: [
      {
        client_id: test.clientId,
        client_secret: test.clientSecret,
        redirect_uris: urls.map((url) => `${url}/console/auth/company/callback`),
      },
    ],
    jwks: { keys: [jwk as JWK] },
    cookies: { keys: ['a key of the test'] },
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...test.person, sub }) }),
    async loadExistingGrant({ oidc }) {
      const { client, session, provider: own } = oidc
      const grant = new own.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

function handlerOf(provider: Provider, test: TestProvider) {
  const callback = provider.callback()
  return async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/interaction/')) {
      const { sub: accountId, mfa = false } = test.person
      const login = { accountId, amr: mfa ? ['pwd', 'mfa'] : ['pwd'] }
      return provider.interactionFinished(request, response, { login })
    }
    if (request.url === '/token' && test.change !== undefined) changeToken(response, test.change)
    return callback(request, response)
  }
}

/** Replaces the ID token on its way to the service. */
function changeToken(response: ServerResponse, change: (token: string) => string): void {
  const { end } = response
  response.end = ((text: string, ...rest: []) => {
    const body = JSON.parse(String(text))
    const changed = JSON.stringify({ ...body, id_token: change(body.id_token) })
    response.setHeader('content-length', Buffer.byteLength(changed))
    return end.call(response, changed as never, ...(rest as unknown as [never]))
  }) as typeof response.end
}

function signed(header: object, claims: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${encode(header)}.${encode(claims)}`
  return `${content}.${createSign('RSA-SHA256').update(content).sign(privateKey, 'base64url')}`
}

export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

/** Follows the provider's pages, like a browser, until it sends the browser back. Returns the path at the service. */
export async function passProvider(url: string, serviceUrl: string): Promise<string> {
  const jar = new Map<string, string>()
  let next = url
  for (let redirects = 0; redirects < 10; redirects += 1) {
    if (next.startsWith(`${serviceUrl}/`)) return next.slice(serviceUrl.length)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const one of response.headers.getSetCookie()) {
      const [name = '', value = ''] = one.split(';', 1)[0]?.split(/=(.*)/s) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null)
      throw new Error(`the provider returned ${response.status}: ${await response.text()}`)
    next = new URL(location, next).href
  }
  throw new Error('too many redirects')
}
