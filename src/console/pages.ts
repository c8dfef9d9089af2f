import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../http/problems.ts'
import { builtFolder, namesIn } from './build-stamp.ts'

/** Addresses that the console's own router knows; all of them are one page. */
const pageAddresses = ['/', '/sign-in', '/account', '/projects', '/projects/*', '/operator', '/operator/*']

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
}

// Strict for styles too: what Mantine would write into a style element is a file of ours, console/styles/theme.css.
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

const pageHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

type File = { type: string; bytes: Buffer; encoded: Map<string, Buffer> }

/** The web app: one page at many addresses, and its assets, whose names change with their content. */
export function consolePages(folder = builtFolder): FastifyPluginAsync {
  return async (app) => {
    const files = filesIn(folder)
    const schema = { hide: true } as object

    for (const address of pageAddresses) {
      app.get(address, { schema }, async (request, reply) => {
        const page = files.get('index.html')
        if (page === undefined) throw new Problem('console_not_built')
        return sendFile(request, reply.headers(pageHeaders), page)
      })
    }

    app.get<{ Params: { '*': string } }>('/assets/*', { schema }, async (request, reply) => {
      const file = files.get(`assets/${request.params['*']}`)
      if (file === undefined) throw new Problem('unknown_route')
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return sendFile(request, reply, file)
    })
  }
}

/**
 * Only what was there at the start can be asked for: an address is looked up, never made into a path. Kept in memory, under
 * 2 MB, because a later build takes the files away from those who still serve this one.
 */
function filesIn(folder: string): Map<string, File> {
  const files = new Map<string, File>()
  if (!existsSync(join(folder, 'index.html'))) return files
  const bytes = new Map(
    namesIn(folder).map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name))]),
  )
  for (const [name, plain] of bytes) {
    const type = mediaTypes[extname(name)]
    if (type === undefined) continue
    const encoded = new Map<string, Buffer>()
    for (const [encoding, ending] of encodings) {
      const compressed = bytes.get(name + ending)
      if (compressed !== undefined) encoded.set(encoding, compressed)
    }
    files.set(name, { type, bytes: plain, encoded })
  }
  return files
}

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

function sendFile(request: FastifyRequest, reply: FastifyReply, { type, bytes, encoded }: File): Buffer {
  reply.type(type)
  for (const [encoding, compressed] of encoded) {
    if (!accepts(request.headers['accept-encoding'], encoding)) continue
    reply.header('content-encoding', encoding)
    return compressed
  }
  return bytes
}

function accepts(header: string | string[] | undefined, encoding: string): boolean {
  return String(header ?? '')
    .split(',')
    .some((part) => {
      const [name, ...parameters] = part.split(';').map((text) => text.trim())
      return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    })
}
