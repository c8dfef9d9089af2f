import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Queryable } from '../../platform/database/database.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { searchParameter } from '../../platform/http/query/search-parameter.ts'
import { pageEnvelope, pageParameters, readPage } from '../../platform/http/response/page-envelope.ts'
import { AuditPageSchema } from './audit.schema.ts'
import { auditNouns, listAuditEntries } from './audit.sql.ts'

const AuditQuery = Type.Object({
  ...pageParameters,
  search: searchParameter('who, what, the target or the project'),
  noun: Type.Optional(OneOf([...auditNouns])),
  project: Type.Optional(Type.Integer({ minimum: 1 })),
})

export function auditRoutes(database: Queryable): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/audit',
      { schema: { querystring: AuditQuery, response: { 200: AuditPageSchema } } },
      async (request) => {
        const page = readPage(request.query)
        return pageEnvelope(request, page, await listAuditEntries(database, request.query, page))
      },
    )
  }
}
