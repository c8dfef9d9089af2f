import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesTag } from './etag.ts'
import { inSlices } from './in-slices.ts'

export type Encoding = 'br' | 'gzip'
type Form = { encoding: Encoding | undefined; bytes: Buffer; tag: string }

/** Bytes that are the same for every client, created once: the compressed forms first, then the uncompressed one. */
export type StaticBytes = { type: string; forms: Form[] }

// Also strict for styles: what Mantine would write into a style element is in console/styles/theme.css.
const contentSecurityPolicy = (images: string) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')

const policies = {
  own: contentSecurityPolicy("'self'"),
  https: contentSecurityPolicy("'self' https:"),
}

type Sending = {
  cacheControl?: string
  /** Which images the page can show: those of this origin, or any over https. */
  images?: keyof typeof policies
}

/** For the options of a route that sends static bytes, which are already compressed. */
export const alreadyCompressed = { compress: false } as const

export function staticBytes(
  type: string,
  plain: Buffer,
  encoded: Partial<Record<Encoding, Buffer>> = {},
): StaticBytes {
  const digest = hash('sha256', plain, 'base64url').slice(0, 22)
  const forms = Object.entries(encoded).map(([encoding, bytes]) => ({
    encoding: encoding as Encoding,
    bytes,
    // A strong ETag identifies bytes, so each form has its own.
    tag: `"${digest}-${encoding}"`,
  }))
  return { type, forms: [...forms, { encoding: undefined, bytes: plain, tag: `"${digest}"` }] }
}

/** Compresses outside the event loop. At quality 9, brotli takes milliseconds; at 11, it would take a second. */
export async function compressStatic(type: string, plain: Buffer): Promise<StaticBytes> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  }
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params }),
    promisify(gzip)(plain, { level: 9 }),
  ])
  return staticBytes(type, plain, { br, gzip: zipped })
}

/** Sends the form that the client accepts, or 304 if the client already has it. */
export function sendStatic(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  { type, forms }: StaticBytes,
  { cacheControl = 'no-cache', images = 'own' }: Sending = {},
): FastifyReply {
  const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers
  const { encoding, bytes, tag } = forms.find((form) => accepts(accepted, form.encoding)) as Form
  reply.headers({
    etag: tag,
    'cache-control': cacheControl,
    'content-security-policy': policies[images],
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  })
  if (matchesTag(known, tag)) return reply.code(304).send()
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.type(type).header('content-length', bytes.length).send(inSlices(bytes))
}

function accepts(header: string | string[] | undefined, encoding: Encoding | undefined): boolean {
  if (encoding === undefined) return true
  return String(header ?? '')
    .split(',')
    .some((part) => {
      const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    })
}
