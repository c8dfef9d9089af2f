import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Queryable } from '../database/database.ts'
import { pageEnvelope, pageParameters, readPage } from '../http/response/page-envelope.ts'
import { AuditPageSchema } from './audit.schema.ts'
import { listAuditEntries } from './audit.sql.ts'

export function auditRoutes(database: Queryable): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/audit',
      { schema: { querystring: Type.Object(pageParameters), response: { 200: AuditPageSchema } } },
      async (request) => {
        const page = readPage(request.query)
        return pageEnvelope(request, page, await listAuditEntries(database, page))
      },
    )
  }
}
