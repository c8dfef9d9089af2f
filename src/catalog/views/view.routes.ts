import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import { viewCodePattern } from '../../model/fields/view-paths.ts'
import type { Views } from '../../model/views/views.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { readOnlyOf, rejectChangedReadOnly } from '../../platform/http/body/read-only-fields.ts'
import { ref } from '../../platform/http/openapi.ts'
import { notFound } from '../../platform/http/problems.ts'
import { pageEnvelope, readPage, sliceOf } from '../../platform/http/response/page-envelope.ts'
import { findProgress } from '../quality/scoring-job.sql.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { deleteView, putView } from './manage-views.ts'
import { type View, ViewInputSchema, ViewPageSchema, ViewQuerySchema, ViewSchema } from './view.schema.ts'

const tags = ['Views']
const Code = Type.Object({
  code: Type.String({ description: 'A lowercase letter, then up to 31 letters, digits, `_` and `-`' }),
})

export function viewRoutes(database: Database, rulesets: Rulesets): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/views',
      {
        config: { scope: 'products:read', problems: ['invalid_page'] },
        schema: {
          tags,
          operationId: 'listViews',
          summary: 'List views',
          description: 'Returns the languages, channels and price lists of the project, ordered by code.',
          querystring: ViewQuerySchema,
          response: { 200: ref(ViewPageSchema) },
        },
      },
      async (request) => {
        const page = readPage(request.query)
        const shown = await showViews(
          database,
          request.caller.project_id,
          (await rulesets.of(request.caller)).views,
        )
        return pageEnvelope(request, page, sliceOf(shown, page))
      },
    )

    app.get(
      '/views/:code',
      {
        config: { scope: 'products:read', problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'getView',
          summary: 'Get a view',
          description: 'Returns the definition of a view, and the chain of views that its values come from.',
          params: Code,
          response: { 200: ref(ViewSchema) },
        },
      },
      async ({ caller, params }) =>
        requireView(database, caller.project_id, (await rulesets.of(caller)).views, params.code),
    )

    app.put(
      '/views/:code',
      {
        config: {
          scope: 'products:write',
          managersOnly: true,
          problems: ['not_found', 'view_limit', 'view_has_prices', 'older_release'],
        },
        schema: {
          tags,
          operationId: 'putView',
          summary: 'Define a view',
          description:
            'Defines a language, channel or price list, or replaces its definition. Only `label` is required. Products do not change.',
          params: Code,
          body: ViewInputSchema,
          response: { 200: ref(ViewSchema) },
        },
      },
      async ({ caller, params: { code }, body }) => {
        const { project_id: projectId, currency } = caller
        if (!new RegExp(viewCodePattern).test(code)) throw notFound('view', code)
        const sent = readOnlyOf(body)
        if (sent !== undefined)
          rejectChangedReadOnly(
            sent,
            await requireView(database, projectId, (await rulesets.of(caller)).views, code),
          )
        const ruleset = await database.transaction(
          (tx) => putView(tx, { projectId, currency }, authorOf(caller), code, body),
          { project: projectId },
        )
        const { views } = await rulesets.of({ project_id: projectId, ruleset })
        return requireView(database, projectId, views, code)
      },
    )

    app.delete(
      '/views/:code',
      {
        config: { scope: 'products:write', managersOnly: true, problems: ['not_found', 'view_in_use'] },
        schema: {
          tags,
          operationId: 'deleteView',
          summary: 'Delete a view',
          description:
            'Deletes a view. No product can have values in the view, and no other view can fall back to it.',
          params: Code,
          response: { 204: Type.Null({ description: 'Deleted' }) },
        },
      },
      async ({ caller, params }, reply) => {
        const { project_id: projectId } = caller
        await database.transaction((tx) => deleteView(tx, projectId, authorOf(caller), params.code), {
          project: projectId,
        })
        reply.code(204)
        return null
      },
    )
  }
}

async function showViews(database: Queryable, projectId: number, views: Views | undefined): Promise<View[]> {
  if (views === undefined) return []
  const progress = await findProgress(database, projectId)
  const marked = progress === undefined ? null : { done: progress.scored, total: progress.products }
  return [...views.byCode.values()].map((view) => ({
    ...view,
    falls_back_to: [...view.falls_back_to],
    requires: [...view.requires],
    chain: [...view.chain, null],
    marked,
  }))
}

async function requireView(
  database: Queryable,
  projectId: number,
  views: Views | undefined,
  code: string,
): Promise<View> {
  const found = (await showViews(database, projectId, views)).find((view) => view.code === code)
  if (found === undefined) throw notFound('view', code)
  return found
}
