import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { findAsset } from '../../catalog/assets/asset.sql.ts'
import { showAsset } from '../../catalog/assets/show-asset.ts'
import { hashOfAssetId } from '../../model/assets/asset-id.ts'
import type { Database } from '../../platform/database/database.ts'
import { notFound } from '../../platform/http/problems.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import { pageEnvelope, readPage } from '../../platform/http/response/page-envelope.ts'
import { FilePageSchema, FilesQuerySchema, FileUsesSchema } from './media-files.schema.ts'
import { listFiles, listUses } from './media-files.sql.ts'

/** The media files of a project with their uses, which the API does not return. */
export function mediaFileRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/media-files',
      { schema: { querystring: FilesQuerySchema, response: { 200: FilePageSchema } } },
      async (request) => {
        const { caller, query } = request
        const page = readPage(query)
        const found = await listFiles(database, caller.project_id, query.only, page)
        const results = found.results.map(({ shown, undescribed, named, ...row }) => ({
          ...showAsset(row, baseUrlOf(request)),
          ...{ shown, undescribed, named },
        }))
        return pageEnvelope(request, page, { ...found, results })
      },
    )

    app.get(
      '/assets/:id/uses',
      { schema: { params: Type.Object({ id: Type.String() }), response: { 200: FileUsesSchema } } },
      async ({ caller, params }) => {
        const hash = hashOfAssetId(params.id)
        if (hash === undefined || (await findAsset(database, caller.project_id, hash)) === undefined)
          throw notFound('asset', params.id)
        return listUses(database, caller.project_id, hash)
      },
    )
  }
}
