import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../platform/http/problems.ts'
import {
  alreadyCompressed,
  type StaticBytes,
  sendStatic,
  staticBytes,
} from '../platform/http/response/static-bytes.ts'

/** The output folder of `npm run build`. */
export const builtFolder = fileURLToPath(new URL('../../build/console/current/', import.meta.url))

export function isConsoleBuilt(folder = builtFolder): boolean {
  return existsSync(join(folder, 'index.html'))
}

type PageFile = { addresses: string[]; images: 'own' | 'https' }

/** The pages and their URLs. The console routes below its own. Product media can be on any host. */
const pages = {
  'index.html': {
    addresses: [
      '/',
      '/sign-in',
      '/sign-in-done',
      '/set-up-second-factor',
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

const immutable = 'public, max-age=31536000, immutable'

/** The web app: the console, one page at many URLs; the API reference; and their assets, whose names contain a content hash. */
export function consolePages(folder = builtFolder): FastifyPluginAsync {
  return async (app) => {
    const files = filesIn(folder)
    const options = { ...alreadyCompressed, schema: { hide: true } as object }

    for (const [name, { addresses, images }] of Object.entries(pages)) {
      for (const address of addresses) {
        app.get(address, options, async (request, reply) => {
          const page = files.get(name)
          if (page === undefined) return respondNotBuilt(request, reply)
          return sendStatic(request, reply, page, { images })
        })
      }
    }

    app.showAtUnknown?.((request, reply) => {
      const page = files.get('index.html')
      if (page === undefined) throw new Problem('unknown_route')
      sendFailure(request, reply.code(404), page, pages['index.html'].images)
    })

    const mark = [...files].find(([name]) => /^assets\/mark-.+\.svg$/.test(name))?.[1]
    app.get('/favicon.ico', options, async (request, reply) => {
      if (mark === undefined) throw new Problem('unknown_route')
      return sendStatic(request, reply, mark, { cacheControl: 'public, max-age=86400' })
    })

    app.get<{ Params: { '*': string } }>('/assets/*', options, async (request, reply) => {
      const file = files.get(`assets/${request.params['*']}`)
      if (file === undefined) throw new Problem('unknown_route')
      return sendStatic(request, reply, file, { cacheControl: immutable })
    })
  }
}

const notBuilt = staticBytes(
  'text/html; charset=utf-8',
  Buffer.from(`<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>The console is not built</title>
<h1>The console is not built</h1>
<p>Run <code>npm run build</code> in the folder of the service, then restart the service.</p>
<p>The API runs without the console. Its description is at <a href="/openapi.json">/openapi.json</a>.</p>
</html>
`),
)

/** Browsers get a page with instructions; other clients get a problem response. */
function respondNotBuilt(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.headers.accept?.includes('text/html') !== true) throw new Problem('console_not_built')
  return sendFailure(request, reply.code(503), notBuilt, 'own')
}

/** Never 304, which would hide the status. */
function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  page: StaticBytes,
  images: PageFile['images'],
): FastifyReply {
  const { 'if-none-match': _known, ...headers } = request.headers
  return sendStatic({ headers }, reply, page, { images })
}

/**
 * Only files that existed at the start can be requested: a URL is looked up, never turned into a path. They stay in memory (under
 * 2 MB), because a later build deletes the files of this one.
 */
function filesIn(folder: string): Map<string, StaticBytes> {
  const files = new Map<string, StaticBytes>()
  if (!isConsoleBuilt(folder)) return files
  const bytes = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), readFileSync(path)]),
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
