import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
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

type File = { path: string; type: string; encodings: string[] }

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

/** Only what was there at the start can be asked for: an address is looked up, never made into a path. */
function filesIn(folder: string): Map<string, File> {
  const files = new Map<string, File>()
  if (!existsSync(join(folder, 'index.html'))) return files
  const names = namesIn(folder).map((name) => name.replaceAll('\\', '/'))
  const known = new Set(names)
  for (const name of names) {
    const type = mediaTypes[extname(name)]
    if (type === undefined) continue
    const encodings = ['br', 'gzip'].filter((encoding) => known.has(name + endings[encoding]))
    files.set(name, { path: join(folder, name), type, encodings })
  }
  return files
}

const endings: Record<string, string> = { br: '.br', gzip: '.gz' }

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: File): Promise<Buffer> {
  const encoding = file.encodings.find((one) => accepts(request.headers['accept-encoding'], one))
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  reply.type(file.type)
  return readFile(file.path + (encoding === undefined ? '' : endings[encoding]))
}

function accepts(header: string | string[] | undefined, encoding: string): boolean {
  return String(header ?? '')
    .split(',')
    .some((part) => {
      const [name, ...parameters] = part.split(';').map((text) => text.trim())
      return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    })
}
