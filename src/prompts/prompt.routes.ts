import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Queryable } from '../database/database.ts'
import { ref } from '../http/openapi.ts'
import { pageEnvelope, readPage } from '../http/pages.ts'
import { notFound } from '../http/problems.ts'
import { PromptPageSchema, PromptQuerySchema, PromptVersionsSchema } from './prompt.schema.ts'
import { listPrompts, listPromptVersions } from './prompt.sql.ts'

const tags = ['Prompts']
const Id = Type.Object({ id: Type.Integer({ description: 'Prompt identifier' }) })

export function promptRoutes(database: Queryable): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/prompts',
      {
        config: { scope: 'prompts:read', problems: ['invalid_page'] },
        schema: {
          tags,
          operationId: 'listPrompts',
          summary: 'List prompt templates',
          querystring: PromptQuerySchema,
          response: { 200: ref(PromptPageSchema) },
        },
      },
      async (request) => {
        const page = readPage(request.query)
        return pageEnvelope(request, page, await listPrompts(database, request.caller.project_id, page))
      },
    )

    app.get(
      '/prompts/:id/versions',
      {
        config: { scope: 'prompts:read', problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'listPromptVersions',
          summary: 'List the versions of a prompt template',
          params: Id,
          response: { 200: ref(PromptVersionsSchema) },
        },
      },
      async ({ caller, params: { id } }) => {
        const versions = await listPromptVersions(database, caller.project_id, id)
        if (versions.length === 0) throw notFound('prompt', id)
        return { versions }
      },
    )
  }
}
