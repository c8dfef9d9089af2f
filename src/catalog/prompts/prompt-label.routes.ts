import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import { ref } from '../../platform/http/openapi.ts'
import { pageEnvelope, readPage } from '../../platform/http/response/page-envelope.ts'
import { labelPrompt, removeLabel } from './label-prompt.ts'
import { PromptId } from './prompt.schema.ts'
import { requirePrompt } from './prompt.sql.ts'
import {
  LabelTargetSchema,
  PromptLabelId,
  PromptLabelMovePageSchema,
  PromptLabelMoveQuerySchema,
  PromptLabelSchema,
} from './prompt-label.schema.ts'
import { listLabelMoves, requireLabel } from './prompt-label.sql.ts'

const tags = ['Prompts']

export function promptLabelRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/prompts/:id/labels/:label',
      {
        config: { scope: 'prompts:read', problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'getPromptLabel',
          summary: 'Get the version that a label points to',
          description: 'Returns the version that the label currently points to.',
          params: PromptLabelId,
          response: { 200: ref(PromptLabelSchema) },
        },
      },
      async ({ caller, params: { id, label } }) => requireLabel(database, caller.project_id, id, label),
    )

    app.put(
      '/prompts/:id/labels/:label',
      {
        config: { scope: 'prompts:write', problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'labelPrompt',
          summary: 'Point a label to a version',
          description:
            'Moves the label to the version (200), or creates it (201). The service records each move.',
          params: PromptLabelId,
          body: LabelTargetSchema,
          response: { 200: ref(PromptLabelSchema), 201: ref(PromptLabelSchema) },
        },
      },
      async ({ caller, params: { id, label }, body }, reply) => {
        const place = { projectId: caller.project_id, promptId: id, label, author: authorOf(caller) }
        const pointed = await labelPrompt(database, place, body)
        if (pointed.created) reply.code(201)
        return pointed.label
      },
    )

    app.delete(
      '/prompts/:id/labels/:label',
      {
        config: { scope: 'prompts:write', problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'removePromptLabel',
          summary: 'Delete a label',
          description: 'Deletes the label. The list of label moves still contains its moves.',
          params: PromptLabelId,
          response: { 204: Type.Null({ description: 'Deleted' }) },
        },
      },
      async ({ caller, params: { id, label } }, reply) => {
        const place = { projectId: caller.project_id, promptId: id, label, author: authorOf(caller) }
        await removeLabel(database, place)
        return reply.code(204).send(null)
      },
    )

    app.get(
      '/prompts/:id/label-moves',
      {
        config: { scope: 'prompts:read', problems: ['not_found', 'invalid_page'] },
        schema: {
          tags,
          operationId: 'listPromptLabelMoves',
          summary: 'List label moves, newest first',
          description:
            'Returns which label moved, from which version to which, when and by whom. `label` returns the moves of one label.',
          params: PromptId,
          querystring: PromptLabelMoveQuerySchema,
          response: { 200: ref(PromptLabelMovePageSchema) },
        },
      },
      async (request) => {
        const { caller, params, query } = request
        const page = readPage(query)
        await requirePrompt(database, caller.project_id, params.id)
        const moves = await listLabelMoves(database, caller.project_id, params.id, query.label, page)
        return pageEnvelope(request, page, moves)
      },
    )
  }
}
