import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { assetId } from '../../model/assets/asset-id.ts'
import { productLimits } from '../../model/limits/products.ts'
import { closed } from '../../platform/http/closed.ts'
import { ref } from '../../platform/http/openapi.ts'
import { Problem } from '../../platform/http/problems.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import { withoutTimeout } from '../../platform/http/request/without-timeout.ts'
import { requestUrl } from '../../platform/http/response/page-envelope.ts'
import { withLocation } from '../../platform/http/response/response-headers.ts'
import { AssetSchema } from './asset.schema.ts'
import { fetchAsset } from './fetch-asset.ts'
import type { Assets } from './open-assets.ts'
import { showAsset } from './show-asset.ts'
import { withUploadSlot } from './upload-slot.ts'

const SourceSchema = Type.Object(
  {
    url: Type.String({
      maxLength: productLimits.mediaUrlCharacters,
      description: 'an https URL on the public internet, without a user name and password',
    }),
  },
  { ...closed, $id: 'AssetSource', examples: [{ url: 'https://images.example/lamp.jpg' }] },
)

export function assetFetchRoutes(assets: Assets): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/assets/from-url',
      {
        config: {
          scope: 'products:write',
          problems: [
            ...(['storage_full', 'asset_erased', 'not_reachable', 'too_many_pixels'] as const),
            ...(['media_unavailable', 'unsupported_media_type'] as const),
          ],
        },
        schema: {
          tags: ['Assets'],
          operationId: 'fetchAsset',
          summary: 'Store the file at a URL',
          description:
            'Fetches a file of at most 20 MiB during the request, and stores it like an upload. The service follows up to 3 redirects and takes at most 30 seconds. If it cannot fetch the file, it returns 422 `not_reachable`.',
          body: SourceSchema,
          response: {
            200: { description: 'The project already has this file', ...ref(AssetSchema) },
            201: withLocation({ description: 'The stored file', ...ref(AssetSchema) }),
          },
        },
      },
      async (request, reply) => {
        const { caller, body } = request
        if (!assets.fetcher.accepts(body.url)) throw invalidUrl()
        if (!(await assets.fetcher.isSafe())) throw notSafe()
        const { asset, isNew } = await withUploadSlot(assets, caller.project_id, (store) =>
          withoutTimeout(request, () => fetchAsset(assets, store, caller.project_id, body.url)),
        )
        const place = requestUrl(request).replace(/\/from-url$/, '')
        if (isNew) reply.code(201).header('location', `${place}/${assetId(asset.hash)}`)
        return showAsset(asset, baseUrlOf(request))
      },
    )
  }
}

function notSafe(): Problem {
  return new Problem('media_unavailable', {
    detail: 'The service does not fetch files, because it cannot block connections to private networks.',
  })
}

function invalidUrl(): Problem {
  const message = 'must be an https URL on the public internet, without a user name and password'
  return new Problem('invalid_body', { errors: [{ pointer: '/url', code: 'invalid_address', message }] })
}
