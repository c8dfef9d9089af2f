import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import { viewCodePattern } from '../../model/fields/view-paths.ts'
import type { Views } from '../../model/views/views.ts'
import { abortQueries } from '../../platform/database/abort-queries.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { readOnlyOf, rejectChangedReadOnly } from '../../platform/http/body/read-only-fields.ts'
import { ref } from '../../platform/http/openapi.ts'
import { notFound } from '../../platform/http/problems.ts'
import { withoutTimeout } from '../../platform/http/request/without-timeout.ts'
import { disconnectSignal } from '../../platform/http/response/client-disconnect.ts'
import { pageEnvelope, readPage, sliceOf } from '../../platform/http/response/page-envelope.ts'
import { requireMarks } from '../products/view-filters.ts'
import { findMarking } from '../rulesets/marking.sql.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { eraseValues, eraseView } from './erase-values.ts'
import { deleteView, putView, requireUnusedView } from './manage-views.ts'
import {
  type View,
  ViewDeleteQuerySchema,
  ViewInputSchema,
  ViewPageSchema,
  ViewProgressSchema,
  ViewQuerySchema,
  ViewSchema,
} from './view.schema.ts'
import { countProgress } from './view-progress.sql.ts'

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

    app.get(
      '/views/:code/progress',
      {
        config: { scope: 'products:read', problems: ['not_found', 'view_marking'] },
        schema: {
          tags,
          operationId: 'getViewProgress',
          summary: 'Get the progress of a view',
          description:
            'Counts the products that have all required values, those that miss each value, and those with a stale text. To list them, use `missing_in` and `stale_in` of GET /products.',
          params: Code,
          response: { 200: ref(ViewProgressSchema) },
        },
      },
      async ({ caller, params: { code } }, reply) => {
        const view = (await rulesets.of(caller)).views?.byCode.get(code)
        if (view === undefined) throw notFound('view', code)
        await requireMarks(database, caller.project_id)
        return countProgress(abortQueries(database, disconnectSignal(reply)), caller.project_id, view)
      },
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
        const inForce = await rulesets.of(caller)
        // A write that arrived before the view was deleted can have left values.
        if (inForce.views?.byCode.has(code) !== true)
          await eraseValues(database, { projectId, author: authorOf(caller), ruleset: inForce, code })
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
            'Deletes a view that no other view falls back to. If products have values in the view, it returns 409. With `erase=true`, it removes these values first, each with a new version of the product. This runs in batches; if it is interrupted, repeat the request to finish it.',
          params: Code,
          querystring: ViewDeleteQuerySchema,
          response: { 204: Type.Null({ description: 'Deleted' }) },
        },
      },
      async (request, reply) => {
        const { caller, params, query } = request
        const { project_id: projectId } = caller
        const author = authorOf(caller)
        const remove = () =>
          database.transaction((tx) => deleteView(tx, projectId, author, params.code), { project: projectId })
        if (query.erase !== true) await remove()
        else {
          const ruleset = await rulesets.of(caller)
          requireUnusedView([...(ruleset.views?.byCode.values() ?? [])], params.code)
          await withoutTimeout(request, () =>
            eraseView(database, { projectId, author, ruleset, code: params.code }, remove),
          )
        }
        reply.code(204)
        return null
      },
    )
  }
}

async function showViews(database: Queryable, projectId: number, views: Views | undefined): Promise<View[]> {
  if (views === undefined) return []
  const marked = (await findMarking(database, projectId)) ?? null
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
