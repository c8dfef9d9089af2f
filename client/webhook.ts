import type { Event } from './generated.ts'
import { CatalogProblem } from './problem.ts'

type GivenHeaders = Headers | Record<string, string | string[] | undefined>

const windowSeconds = 300
const maxSignatures = 10

/** Returns the event of a webhook request whose signature one of the secrets made in the last five minutes; throws otherwise. */
export async function verifyWebhook(
  secrets: string | readonly string[],
  headers: GivenHeaders,
  rawBody: Uint8Array | ArrayBuffer,
): Promise<Event> {
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  )
  if (!id || !time || !signatures) throw invalid('The request lacks a webhook-* header.')
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= windowSeconds))
    throw invalid('The request was signed more than five minutes ago, or the clock of this machine is wrong.')
  const body = new Uint8Array(rawBody)
  const signed = await new Blob([`${id}.${time}.`, body]).arrayBuffer()
  for (const secret of [secrets].flat()) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey(
      'raw',
      bytesOf(secret.replace(/^whsec_/, '')),
      algorithm,
      false,
      ['verify'],
    )
    for (const signature of signatures.split(' ').slice(0, maxSignatures)) {
      if (!/^v1,[\w+/]+=*$/.test(signature)) continue
      // WebCrypto compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, bytesOf(signature.slice(3)), signed))
        return JSON.parse(new TextDecoder().decode(body))
    }
  }
  throw invalid('No signature matches the body and one of the secrets.')
}

function headerOf(headers: GivenHeaders, name: string): string | undefined {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return value?.toString()
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    if (bytes.length > 0) return bytes
  } catch {}
  throw invalid('A secret or a signature is empty or not Base64.')
}

function invalid(detail: string): CatalogProblem {
  return new CatalogProblem({ status: 400, code: 'invalid_webhook', detail })
}
