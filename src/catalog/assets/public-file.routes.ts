import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { limitUnknownTokens } from '../../access/tokens/limit-unknown-tokens.ts'
import { type ImageSize, readAssetPath } from '../../model/assets/asset-urls.ts'
import { assetLimits } from '../../model/limits/assets.ts'
import { boundedMap } from '../../platform/bounded-map.ts'
import type { RateLimiter } from '../../platform/http/limits/rate-limit.ts'
import type { Buckets } from '../../platform/http/limits/token-buckets.ts'
import { Problem } from '../../platform/http/problems.ts'
import { whenClosed } from '../../platform/http/response/client-disconnect.ts'
import { type SentFile, sendFile } from '../../platform/http/response/send-file.ts'
import { alreadyCompressed } from '../../platform/http/response/static-bytes.ts'
import { originalContent, sizeContent } from './asset-content.ts'
import type { Assets } from './open-assets.ts'
import type { PublicFile, PublicFileKey } from './public-file.sql.ts'
import { requireSizes } from './require-sizes.ts'

/** A file never changes: another file has another hash. */
const immutable = 'public, max-age=31536000, immutable'

/** The files of public projects, for shops and feeds. They need no token and read no cookie. */
export function publicFileRoutes(
  { findFile: find, media, downloads }: Assets,
  { address }: Pick<RateLimiter, 'address'>,
): FastifyPluginAsync {
  const findFile = limitUnknownKeys(find, address)

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const wanted = readAssetPath(request.url.split('?', 1)[0] ?? '')
    const found = wanted && (await findFile(wanted, request.ip))
    if (found?.is_public !== true || found.asset === null) throw new Problem('not_found')
    const { asset, hash, project_id: project } = found
    if (asset.state === 'erased') throw new Problem('asset_erased')
    const content = publicContent(request, project, { ...asset, hash })
    const store = await media.require()
    const leave = downloads.tryEnter(project)
    if (leave === undefined) throw new Problem('too_busy')
    whenClosed(reply, leave)
    const isSent = await sendFile(request, reply, store, { ...content, cacheControl: immutable })
    if (!isSent) throw new Problem('media_unavailable')
    return reply
  }

  return async (app) => {
    await app.register(async (own) => {
      own.addHook('onRequest', (_request, reply, done) => {
        // Pages on other origins can show these files, but not read them. The response is the same for every origin.
        for (const name of ['vary', 'access-control-allow-origin', 'access-control-expose-headers'])
          reply.removeHeader(name)
        // For errors, because the file can exist soon after. A file that is sent replaces this header.
        reply.header('cache-control', 'no-store')
        done()
      })
      const options = {
        ...alreadyCompressed,
        config: { keepsPace: true },
        schema: { hide: true } as object,
      }
      own.get('/media/:key/:hash/:file', options, serve)
    })
  }
}

/** The original of an image stays private. */
function publicContent(
  { params }: FastifyRequest,
  projectId: number,
  asset: Parameters<typeof originalContent>[1] & Parameters<typeof requireSizes>[0],
): Omit<SentFile, 'cacheControl'> {
  const { file } = params as { file: string }
  if (file !== 'original')
    return sizeContent(projectId, requireSizes(asset), Number.parseInt(file, 10) as ImageSize)
  if (asset.kind === 'image') throw new Problem('not_found')
  return originalContent(projectId, asset)
}

/** Counts requests with keys that this process does not know, like unknown tokens. */
function limitUnknownKeys(find: Assets['findFile'], addresses: Buckets) {
  const known = boundedMap<string, true>(assetLimits.knownKeys)
  const countUnknown = limitUnknownTokens(addresses, 'unknown media keys')
  return async (wanted: PublicFileKey, address: string): Promise<PublicFile | undefined> => {
    const refund = known.has(wanted.mediaKey) ? undefined : countUnknown(address)
    const found = await find(wanted).catch((error) => {
      refund?.()
      throw error
    })
    if (found === undefined) known.delete(wanted.mediaKey)
    else {
      refund?.()
      if (!known.has(wanted.mediaKey)) known.set(wanted.mediaKey, true)
    }
    return found
  }
}
