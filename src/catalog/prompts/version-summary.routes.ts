import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Database } from '../../platform/database/database.ts'
import { pageEnvelope, readPage } from '../../platform/http/response/page-envelope.ts'
import { PromptId } from './prompt.schema.ts'
import { requirePrompt } from './prompt.sql.ts'
import {
  LatestVersionsQuerySchema,
  LatestVersionsSchema,
  VersionSummaryPageSchema,
  VersionSummaryQuerySchema,
} from './version-summary.schema.ts'
import { listLatestVersions, listVersionSummaries } from './version-summary.sql.ts'

/** Only for the console: versions without their texts. The list in the API contains all texts. */
export function versionSummaryRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/prompts/:id/version-summaries',
      {
        config: { scope: 'prompts:read', problems: ['not_found', 'invalid_page'] },
        schema: {
          params: PromptId,
          querystring: VersionSummaryQuerySchema,
          response: { 200: VersionSummaryPageSchema },
        },
      },
      async (request) => {
        const { caller, params, query } = request
        const page = readPage(query)
        await requirePrompt(database, caller.project_id, params.id)
        const versions = await listVersionSummaries(database, caller.project_id, params.id, page)
        return pageEnvelope(request, page, versions)
      },
    )

    app.get(
      '/latest-prompt-versions',
      {
        config: { scope: 'prompts:read' },
        schema: { querystring: LatestVersionsQuerySchema, response: { 200: LatestVersionsSchema } },
      },
      async ({ caller, query: { prompt__in = [] } }) => ({
        results: await listLatestVersions(database, caller.project_id, prompt__in),
      }),
    )
  }
}
