import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../database/database.ts'
import { limitConcurrency } from '../database/scheduling/concurrency-limit.ts'
import { ref } from '../http/openapi.ts'
import { readOnlyOf } from '../http/request/read-only.ts'
import { authorOf } from '../tokens/caller.ts'
import { changeRules, readRules } from './change-rules.ts'
import { previewRules } from './preview-rules.ts'
import {
  QualityPreviewSchema,
  QualityRulesInputSchema,
  QualityRulesReplaceSchema,
  QualityRulesSchema,
} from './quality-rules.schema.ts'
import type { Rulesets } from './rulesets.ts'

const tags = ['Quality rules']

export function qualityRulesRoutes(database: Database, rulesets: Rulesets): FastifyPluginAsyncTypebox {
  // Each scores a thousand products on the thread that answers everybody else.
  const previews = limitConcurrency({ most: 2, mostOfProject: 1, patienceSeconds: 10, mostWaiting: 20 })

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
        config: { scope: 'products:read' },
        schema: {
          tags,
          operationId: 'previewQualityRules',
          summary: 'See what other rules would change',
          description:
            'Scores up to 1,000 products, spread evenly by id, by the rules of the body, beside those in force. It writes nothing.',
          body: QualityRulesInputSchema,
          response: { 200: ref(QualityPreviewSchema) },
        },
      },
      async ({ caller, body }) => {
        const inForce = await rulesets.of(caller)
        return previews.run(
          () => previewRules(database, caller.project_id, inForce, body.rules),
          caller.project_id,
        )
      },
    )
  }
}
