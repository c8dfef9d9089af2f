import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import { abortQueries } from '../../platform/database/abort-queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { readOnlyOf } from '../../platform/http/body/read-only-fields.ts'
import type { ExpensiveReads } from '../../platform/http/limits/expensive-reads.ts'
import { ref } from '../../platform/http/openapi.ts'
import { disconnectSignal } from '../../platform/http/response/client-disconnect.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { changeRules, readRules } from './change-rules.ts'
import { previewRules } from './preview-rules.ts'
import {
  QualityPreviewSchema,
  QualityRulesInputSchema,
  QualityRulesReplaceSchema,
  QualityRulesSchema,
} from './quality-rules.schema.ts'

const tags = ['Quality rules']

export function qualityRulesRoutes(
  database: Database,
  rulesets: Rulesets,
  { previews }: Pick<ExpensiveReads, 'previews'>,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/quality-rules',
      {
        config: { scope: 'products:read' },
        schema: {
          tags,
          operationId: 'getQualityRules',
          summary: 'Get the quality rules',
          description:
            "Returns the project's own rules, or the nine default rules if it has none. After a change, `progress` shows how many products have been scored by the new rules.",
          response: { 200: ref(QualityRulesSchema) },
        },
      },
      async ({ caller }) => readRules(database, caller.project_id, caller.ruleset),
    )

    app.put(
      '/quality-rules',
      {
        config: { scope: 'products:write', managersOnly: true },
        schema: {
          tags,
          operationId: 'replaceQualityRules',
          summary: 'Replace the quality rules',
          description:
            'Writes use the new rules immediately. All other products are scored again in the background; until then, a product shows the rules that scored it. Versions, `updated_at` and history do not change. Sending the same rules again changes nothing.',
          body: QualityRulesReplaceSchema,
          response: { 200: ref(QualityRulesSchema) },
        },
      },
      async ({ caller, body }) => {
        const { project_id: projectId } = caller
        const ruleset = await changeRules(database, projectId, authorOf(caller), body.rules, readOnlyOf(body))
        return readRules(database, projectId, ruleset)
      },
    )

    app.delete(
      '/quality-rules',
      {
        config: { scope: 'products:write', managersOnly: true },
        schema: {
          tags,
          operationId: 'deleteQualityRules',
          summary: 'Restore the default quality rules',
          description:
            "Deletes the project's own rules. Its products are scored again by the nine default rules, as after any change.",
          response: { 204: Type.Null({ description: 'The default rules are in force' }) },
        },
      },
      async ({ caller }, reply) => {
        await changeRules(database, caller.project_id, authorOf(caller), null)
        reply.code(204)
        return null
      },
    )

    app.post(
      '/quality-rules/preview',
      {
        config: { scope: 'products:read', writesNothing: true },
        schema: {
          tags,
          operationId: 'previewQualityRules',
          summary: 'Preview quality rules',
          description:
            'Scores up to 1,000 products, spread evenly by ID, by the rules in the body and by the rules in force. Scores fewer products if this takes longer than two seconds. Writes nothing.',
          body: QualityRulesInputSchema,
          response: { 200: ref(QualityPreviewSchema) },
        },
      },
      async ({ caller, body }, reply) => {
        const inForce = await rulesets.of(caller)
        const signal = disconnectSignal(reply)
        const reader = abortQueries(database, signal)
        return previews.run(
          () => previewRules(reader, caller.project_id, inForce, body.rules),
          caller.project_id,
          signal,
        )
      },
    )
  }
}
