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
          description: 'Which version the label points at now.',
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
          summary: 'Point a label at a version; 201 when the label is new',
          description: 'Moves the label to the version, or makes it (201). The move is kept.',
          params: PromptLabelId,
          body: LabelTargetSchema,
          response: { 200: ref(PromptLabelSchema), 201: ref(PromptLabelSchema) },
        },
      },
      async ({ caller, params: { id, label }, body }, reply) => {
        const place = { projectId: caller.project_id, promptId: id, label, author: authorOf(caller) }
        const pointed = await labelPrompt(database, place, body)
        if (pointed.made) reply.code(201)
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
          summary: 'Remove a label; its moves are kept',
          description: 'The label is gone, its moves stay in the list of moves.',
          params: PromptLabelId,
          response: { 204: Type.Null({ description: 'The label is gone' }) },
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
          summary: 'List where the labels pointed: each move, newest first',
          description:
            'Which label was moved from where to where, when and by whom; `label` shows those of one.',
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
