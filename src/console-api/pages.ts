import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyPluginAsync } from 'fastify'
import { Problem } from '../platform/http/problems.ts'
import {
  type StaticBytes,
  sendStatic,
  sentAsMade,
  staticBytes,
} from '../platform/http/response/static-bytes.ts'
import { builtFolder, namesIn } from './build-stamp.ts'

type PageFile = { addresses: string[]; images: 'own' | 'https' }

/** The pages, each with its addresses: the console's own router knows those of the first. Media of products may be anywhere. */
const pages = {
  'index.html': {
    addresses: [
      '/',
      '/sign-in',
      '/invitation',
      '/account',
      '/projects',
      '/projects/*',
      '/operator',
      '/operator/*',
    ],
    images: 'https',
  },
  'reference.html': { addresses: ['/docs'], images: 'own' },
} satisfies Record<string, PageFile>

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
}

const kept = 'public, max-age=31536000, immutable'

/** The web app: the console, one page at many addresses; the reference; and their assets, whose names change with their content. */
export function consolePages(folder = builtFolder): FastifyPluginAsync {
  return async (app) => {
    const files = filesIn(folder)
    const options = { ...sentAsMade, schema: { hide: true } as object }

    for (const [name, { addresses, images }] of Object.entries(pages)) {
      for (const address of addresses) {
        app.get(address, options, async (request, reply) => {
          const page = files.get(name)
          if (page === undefined) throw new Problem('console_not_built')
          return sendStatic(request, reply, page, { images })
        })
      }
    }

    app.showAtUnknown?.((request, reply) => {
      const page = files.get('index.html')
      if (page === undefined) throw new Problem('unknown_route')
      // Never a 304: it would stand for an address that there is.
      const { 'if-none-match': _known, ...headers } = request.headers
      sendStatic({ headers }, reply.code(404), page, { images: pages['index.html'].images })
    })

    const mark = [...files].find(([name]) => /^assets\/mark-.+\.svg$/.test(name))?.[1]
    app.get('/favicon.ico', options, async (request, reply) => {
      if (mark === undefined) throw new Problem('unknown_route')
      return sendStatic(request, reply, mark, { cacheControl: 'public, max-age=86400' })
    })

    app.get<{ Params: { '*': string } }>('/assets/*', options, async (request, reply) => {
      const file = files.get(`assets/${request.params['*']}`)
      if (file === undefined) throw new Problem('unknown_route')
      return sendStatic(request, reply, file, { cacheControl: kept })
    })
  }
}

/**
 * Only what was there at the start can be asked for: an address is looked up, never made into a path. Kept in memory, under
 * 2 MB, because a later build takes the files away from those who still serve this one.
 */
function filesIn(folder: string): Map<string, StaticBytes> {
  const files = new Map<string, StaticBytes>()
  if (!existsSync(join(folder, 'index.html'))) return files
  const bytes = new Map(
    namesIn(folder).map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name))]),
  )
  for (const [name, plain] of bytes) {
    const type = mediaTypes[extname(name)]
    const br = bytes.get(`${name}.br`)
    const gzip = bytes.get(`${name}.gz`)
    if (type !== undefined)
      files.set(name, staticBytes(type, plain, { ...(br && { br }), ...(gzip && { gzip }) }))
  }
  return files
}
