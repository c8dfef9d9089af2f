import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import { promptLimits } from '../../model/limits/prompts.ts'
import { abortQueries } from '../../platform/database/abort-queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { ref } from '../../platform/http/openapi.ts'
import { orderBy } from '../../platform/http/query/ordering.ts'
import { respondOnce } from '../../platform/http/request/idempotency.ts'
import { disconnectSignal } from '../../platform/http/response/client-disconnect.ts'
import type { ReadLargePage } from '../../platform/http/response/large-pages.ts'
import { pageEnvelope, readPage, requestUrl } from '../../platform/http/response/page-envelope.ts'
import { withLocation } from '../../platform/http/response/response-headers.ts'
import { createPrompt } from './create-prompt.ts'
import {
  NewPromptSchema,
  PromptChangesSchema,
  PromptId,
  PromptPageSchema,
  PromptQuerySchema,
  PromptSchema,
} from './prompt.schema.ts'
import { listPrompts, requirePrompt } from './prompt.sql.ts'
import { updatePrompt } from './update-prompt.ts'

const tags = ['Prompts']

export function promptRoutes(database: Database, readLargePage: ReadLargePage): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/prompts',
      {
        config: { scope: 'prompts:read', problems: ['invalid_page', 'page_too_large'] },
        schema: {
          tags,
          operationId: 'listPrompts',
          summary: 'List prompt templates',
          description:
            'Returns one page of prompt templates with their latest version and labels. `search` searches the name and the description.',
          querystring: PromptQuerySchema,
          response: { 200: ref(PromptPageSchema) },
        },
      },
      async (request, reply) => {
        const { caller, query } = request
        const page = readPage(query)
        const order = orderBy('prompt', query.ordering)
        const signal = disconnectSignal(reply)
        const reader = abortQueries(database, signal)
        const read = (maxBytes: number) =>
          listPrompts(reader, caller.project_id, query.search ?? '', order, page, maxBytes)
        const found = await readLargePage(caller.project_id, page, read, signal)
        return pageEnvelope(request, page, found)
      },
    )

    app.post(
      '/prompts',
      {
        bodyLimit: promptLimits.bodyBytes,
        config: {
          scope: 'prompts:write',
          problems: ['duplicate_name', 'idempotency_in_flight', 'idempotency_mismatch'],
        },
        schema: {
          tags,
          operationId: 'createPrompt',
          summary: 'Create a prompt template',
          description:
            'Creates a prompt template. Its text becomes version 1.0.0. Write variables as `{{name}}` in the text.',
          body: NewPromptSchema,
          response: { 201: withLocation(ref(PromptSchema)) },
        },
      },
      async (request, reply) =>
        respondOnce(database, request, reply, (writable) =>
          writable.transaction(async (tx) => {
            const { caller, body } = request
            const prompt = await createPrompt(tx, caller.project_id, authorOf(caller), body)
            return { status: 201, location: `${requestUrl(request)}/${prompt.id}`, body: prompt }
          }),
        ),
    )

    app.get(
      '/prompts/:id',
      {
        config: { scope: 'prompts:read', problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'getPrompt',
          summary: 'Get a prompt template',
          description:
            'Returns one prompt template with its latest version, its labels and the variables of the latest text.',
          params: PromptId,
          response: { 200: ref(PromptSchema) },
        },
      },
      async ({ caller, params: { id } }) => requirePrompt(database, caller.project_id, id),
    )

    app.patch(
      '/prompts/:id',
      {
        config: { scope: 'prompts:write', problems: ['not_found', 'duplicate_name'] },
        schema: {
          tags,
          operationId: 'updatePrompt',
          summary: 'Update the name or description of a prompt template',
          description: 'Fields that you leave out do not change. To change the text, add a version.',
          params: PromptId,
          body: PromptChangesSchema,
          response: { 200: ref(PromptSchema) },
        },
      },
      async ({ caller, params: { id }, body }) =>
        updatePrompt(database, caller.project_id, authorOf(caller), id, body),
    )
  }
}
