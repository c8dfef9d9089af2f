import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type TSchema, Type } from 'typebox'
import { isManager } from '../../access/roles.ts'
import { actorOfCaller, type Caller } from '../../access/tokens/caller.ts'
import { hashOfAssetId } from '../../model/assets/asset-id.ts'
import { assetTypes } from '../../model/assets/asset-types.ts'
import type { ImageSize } from '../../model/assets/asset-urls.ts'
import { ref } from '../../platform/http/openapi.ts'
import { notFound, Problem } from '../../platform/http/problems.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import { whenClosed } from '../../platform/http/response/client-disconnect.ts'
import { pageEnvelope, readPage } from '../../platform/http/response/page-envelope.ts'
import { tagHeaders } from '../../platform/http/response/response-headers.ts'
import { sendFile } from '../../platform/http/response/send-file.ts'
import { alreadyCompressed } from '../../platform/http/response/static-bytes.ts'
import {
  AssetPageSchema,
  AssetQuerySchema,
  AssetSchema,
  ContentQuerySchema,
  DeleteQuerySchema,
  StorageSchema,
} from './asset.schema.ts'
import { type AssetRow, findAsset, listAssets, readStorage } from './asset.sql.ts'
import { originalContent, sizeContent } from './asset-content.ts'
import { deleteAsset, eraseAsset } from './delete-asset.ts'
import type { Assets } from './open-assets.ts'
import { requireSizes } from './require-sizes.ts'
import { showAsset } from './show-asset.ts'

const tags = ['Assets']
const Id = Type.Object({ id: Type.String({ description: 'Asset ID, such as `sha256:…`' }) })
const fileContent = Object.fromEntries(
  Object.keys(assetTypes).map((mime) => [mime, { schema: { type: 'string', format: 'binary' } }]),
)

export function assetRoutes({ database, media, downloads }: Assets): FastifyPluginAsyncTypebox {
  function requireHash(id: string): string {
    const hash = hashOfAssetId(id)
    if (hash === undefined) throw notFound('asset', id)
    return hash
  }

  async function requireAsset(projectId: number, id: string): Promise<AssetRow> {
    const asset = await findAsset(database, projectId, requireHash(id))
    if (asset === undefined) throw notFound('asset', id)
    if (asset.state === 'erased') throw new Problem('asset_erased')
    return asset
  }

  return async (app) => {
    app.get(
      '/assets',
      {
        config: { scope: 'products:read', problems: ['invalid_page'] },
        schema: {
          tags,
          operationId: 'listAssets',
          summary: 'List uploaded files',
          description: 'Returns the files of the project, newest first.',
          querystring: AssetQuerySchema,
          response: { 200: ref(AssetPageSchema) },
        },
      },
      async (request) => {
        const page = readPage(request.query)
        const found = await listAssets(database, request.caller.project_id, request.query, page)
        const results = found.results.map((row) => showAsset(row, baseUrlOf(request)))
        return pageEnvelope(request, page, { ...found, results })
      },
    )

    app.get(
      '/assets/storage',
      {
        config: { scope: 'products:read' },
        schema: {
          tags,
          operationId: 'getStorage',
          summary: 'Get the storage that files use',
          description: 'Returns how many bytes the files of the project use, and how many its plan allows.',
          response: { 200: ref(StorageSchema) },
        },
      },
      async ({ caller }) => readStorage(database, caller.project_id),
    )

    app.get(
      '/assets/:id',
      {
        config: { scope: 'products:read', problems: ['asset_erased'] },
        schema: {
          tags,
          operationId: 'getAsset',
          summary: 'Get an uploaded file',
          description: 'Returns the type, the size, the state and the URLs of one file.',
          params: Id,
          response: { 200: ref(AssetSchema) },
        },
      },
      async (request) =>
        showAsset(await requireAsset(request.caller.project_id, request.params.id), baseUrlOf(request)),
    )

    app.get(
      '/assets/:id/content',
      {
        ...alreadyCompressed,
        config: {
          scope: 'products:read',
          problems: ['asset_erased', 'range_not_satisfiable', 'media_unavailable'],
          keepsPace: true,
          sendsFile: true,
        },
        schema: {
          tags,
          operationId: 'getAssetContent',
          summary: 'Download an uploaded file',
          description:
            'Returns the original file, or a smaller image if you set `width`. If the files of a project are private, only this route returns them. Until the service has made the smaller sizes of an image, requests with `width` return 404 with `Retry-After`.',
          params: Id,
          querystring: ContentQuerySchema,
          response: {
            200: fileResponse('The file'),
            206: fileResponse('The part of the file that the Range header requests'),
          },
        },
      },
      async (request, reply) => {
        const { params, query, caller } = request
        const asset = await requireAsset(caller.project_id, params.id)
        const content =
          query.width === undefined
            ? originalContent(caller.project_id, asset)
            : sizeContent(caller.project_id, requireSizes(asset), Number(query.width) as ImageSize)
        const store = await media.require()
        const leave = downloads.tryEnter(caller.project_id)
        if (leave === undefined) throw new Problem('too_busy')
        whenClosed(reply, leave)
        const file = { ...content, cacheControl: 'private, no-cache' }
        if (!(await sendFile(request, reply, store, file))) throw new Problem('media_unavailable')
        return reply as never
      },
    )

    app.delete(
      '/assets/:id',
      {
        config: {
          scope: 'products:write',
          problems: ['asset_in_use', 'asset_erased', 'insufficient_role'],
        },
        schema: {
          tags,
          operationId: 'deleteAsset',
          summary: 'Delete an uploaded file',
          description:
            'Deletes a file that no product shows or has shown and that no open proposal names. For legal reasons, managers can erase any file in the console (`erase=true`). Its URLs then return 410.',
          params: Id,
          querystring: DeleteQuerySchema,
          response: { 204: Type.Null({ description: 'The file is deleted' }) },
        },
      },
      async ({ caller, params, query }, reply) => {
        const hash = requireHash(params.id)
        if (query.erase === true) {
          requireManager(caller)
          await eraseAsset(database, media, actorOfCaller(caller), caller.project_id, hash)
        } else await deleteAsset(database, caller.project_id, hash)
        return reply.code(204).send(null as never)
      },
    )
  }
}

/** Tokens cannot erase files, because no one can undo it. */
function requireManager({ role }: Caller): void {
  if (!isManager(role))
    throw new Problem('insufficient_role', {
      detail: 'Only managers of the project can erase a file, in the console.',
    })
}

function fileResponse(description: string): TSchema {
  const headers = {
    ...tagHeaders,
    'Content-Range': { type: 'string', description: 'The part of the file, in a response with status 206' },
    'Content-Disposition': { type: 'string', description: 'Suggested file name of documents and videos' },
  }
  return { description, content: fileContent, headers } as unknown as TSchema
}
