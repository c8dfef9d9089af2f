import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { TSchema } from 'typebox'
import { assetId } from '../../model/assets/asset-id.ts'
import { assetTypes } from '../../model/assets/asset-types.ts'
import { assetLimits } from '../../model/limits/assets.ts'
import { acceptFiles, rejectUnreadableFile, withReceivedFile } from '../../platform/http/body/receive-file.ts'
import { readRestIfRejected } from '../../platform/http/body/slow-bodies.ts'
import { ref } from '../../platform/http/openapi.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import { requestUrl } from '../../platform/http/response/page-envelope.ts'
import { withLocation } from '../../platform/http/response/response-headers.ts'
import { AssetSchema } from './asset.schema.ts'
import { inspectFile } from './inspect-file.ts'
import type { Assets } from './open-assets.ts'
import { showAsset } from './show-asset.ts'
import { storeAsset } from './store-asset.ts'
import { withUploadSlot } from './upload-slot.ts'

/** The body of an upload in the OpenAPI document. */
const fileBody = {
  content: Object.fromEntries(
    Object.keys(assetTypes).map((mime) => [mime, { schema: { type: 'string', format: 'binary' } }]),
  ),
} as unknown as TSchema

export function assetUploadRoutes(assets: Assets): FastifyPluginAsyncTypebox {
  return async (app) => {
    acceptFiles(app)

    app.post(
      '/assets',
      {
        config: {
          scope: 'products:write',
          takesFile: true,
          problems: [
            ...(['storage_full', 'asset_erased', 'type_mismatch', 'too_many_pixels'] as const),
            ...(['not_found', 'media_unavailable'] as const),
          ],
        },
        schema: {
          tags: ['Assets'],
          operationId: 'uploadAsset',
          summary: 'Upload a file',
          description:
            'Stores an image, a document or a video of at most 20 MiB. Send its bytes as the body and its type in `Content-Type`, without `Content-Encoding`. The ID is the hash of the bytes. If the project already has them, the response is 200 and nothing changes. To show the file in a product, send the ID as `asset` of a media item. The service makes the thumbnails of an image in the background.',
          body: fileBody,
          response: {
            200: { description: 'The project already has this file', ...ref(AssetSchema) },
            201: withLocation({ description: 'The stored file', ...ref(AssetSchema) }),
          },
        },
      },
      async (request, reply) => {
        const { caller, headers, raw } = request
        const { asset, isNew } = await readRestIfRejected(raw, async () => {
          rejectUnreadableFile(request, assetLimits.bytes)
          return withUploadSlot(assets, caller.project_id, (store) =>
            withReceivedFile(
              request,
              { folder: store.incoming, maxBytes: assetLimits.bytes },
              async (file) => {
                const inspected = await inspectFile(file.path, String(headers['content-type']))
                return storeAsset(assets.database, store, caller.project_id, { ...file, ...inspected })
              },
            ),
          )
        })
        if (isNew) reply.code(201).header('location', `${requestUrl(request)}/${assetId(asset.hash)}`)
        return showAsset(asset, baseUrlOf(request))
      },
    )
  }
}
