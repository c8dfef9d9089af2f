import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import { untilAborted } from '../../platform/database/abort-queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { readOnlyOf } from '../../platform/http/body/read-only-fields.ts'
import type { ExpensiveReads } from '../../platform/http/limits/expensive-reads.ts'
import { ref } from '../../platform/http/openapi.ts'
import { clientLeft } from '../../platform/http/response/client-disconnect.ts'
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
          summary: 'Get the rules that products are scored by',
          description:
            "The project's own rules, or the service's nine where it has none, and how many products are scored by them after a change.",
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
          summary: 'Replace the rules that products are scored by',
          description:
            'Writes are scored by the new rules at once, all other products soon after, in the background; until then a product shows the rules that scored it. Neither versions nor `updated_at` nor history change. The same rules again change nothing.',
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
          summary: "Go back to the service's own rules",
          description:
            "The project's own rules end, and its products are scored by the service's nine again, as after a change.",
          response: { 204: Type.Null({ description: "The service's own rules are in force" }) },
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
          summary: 'See what other rules would change',
          description:
            'Scores up to 1,000 products, spread evenly by id, by the rules of the body and by those in force. It scores fewer products if the rules take longer than two seconds. It writes nothing.',
          body: QualityRulesInputSchema,
          response: { 200: ref(QualityPreviewSchema) },
        },
      },
      async ({ caller, body }, reply) => {
        const inForce = await rulesets.of(caller)
        const signal = clientLeft(reply)
        const reader = untilAborted(database, signal)
        return previews.run(
          () => previewRules(reader, caller.project_id, inForce, body.rules),
          caller.project_id,
          signal,
        )
      },
    )
  }
}
