import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { type ConsoleUser, cookieOf } from './console-user.ts'
import type { TestResponse, TestService } from './harness.ts'

/** What an attacker or a broken device does differently. */
export type Deviation = {
  origin?: string
  host?: string
  challenge?: string
  isUserVerified?: boolean
  signCount?: number
  /** Signs other bytes than it sends. */
  isForged?: boolean
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest()
const isPresent = 1
const isVerified = 4
const hasCredential = 64

/** A passkey in the memory of a test, with the responses that a browser would return for it. */
export function softwarePasskey(serviceUrl: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(16)
  const id = credentialId.toString('base64url')
  const shared = { id, rawId: id, type: 'public-key', clientExtensionResults: {} }
  let signCount = 0

  function clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    const { origin = serviceUrl } = deviation
    return Buffer.from(
      JSON.stringify({ type, challenge: deviation.challenge ?? challenge, origin, crossOrigin: false }),
    )
  }

  function authenticatorData(flags: number, deviation: Deviation): Buffer {
    const { host = new URL(serviceUrl).hostname, isUserVerified = true } = deviation
    signCount = deviation.signCount ?? signCount + 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(signCount)
    return Buffer.concat([
      sha256(host),
      Buffer.of(flags | isPresent | (isUserVerified ? isVerified : 0)),
      count,
    ])
  }

  return {
    register(challenge: string, deviation: Deviation = {}): object {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const data = Buffer.concat([
        authenticatorData(hasCredential, deviation),
        ...[Buffer.alloc(16), Buffer.of(0, credentialId.length), credentialId],
        // CBOR: a map with the key type, the algorithm ES256, the curve P-256, and both coordinates.
        ...[Buffer.from('a501020326200121', 'hex'), cborBytes(Buffer.from(x, 'base64url'))],
        ...[Buffer.of(0x22), cborBytes(Buffer.from(y, 'base64url'))],
      ])
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        cborBytes(data),
      ])
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge, deviation).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      }
      return { ...shared, response }
    },

    use(challenge: string, deviation: Deviation = {}): object {
      const client = clientData('webauthn.get', challenge, deviation)
      const data = authenticatorData(0, deviation)
      const signed = deviation.isForged ? randomBytes(64) : Buffer.concat([data, sha256(client)])
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      }
      return { ...shared, response }
    },
  }
}

export type SoftwarePasskey = ReturnType<typeof softwarePasskey>

/** Adds the passkey to the account of a user, like the page of the account. */
export async function addPasskey(
  service: TestService,
  { cookie, password }: ConsoleUser,
  passkey: SoftwarePasskey,
  deviation: Deviation = {},
): Promise<TestResponse> {
  const send = (path: string, cookies: string, body: object) =>
    service.call(`/console/api/account/passkeys${path}`, {
      method: 'POST',
      body,
      headers: { cookie: cookies },
    })
  const begun = await send('/options', cookie, { password })
  const credential = passkey.register(begun.body.challenge, deviation)
  return send('', `${cookie}; ${cookieOf(begun)}`, { name: 'Laptop', credential })
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0x58, bytes.length), bytes])
}
