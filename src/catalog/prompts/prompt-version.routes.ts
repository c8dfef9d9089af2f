import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import { promptLimits } from '../../model/limits/prompts.ts'
import type { Database } from '../../platform/database/database.ts'
import { ref } from '../../platform/http/openapi.ts'
import { respondOnce } from '../../platform/http/request/idempotency.ts'
import { requestUrl } from '../../platform/http/response/page-envelope.ts'
import {
  tagOfSmallResponse,
  withLocation,
  withoutTag,
} from '../../platform/http/response/response-headers.ts'
import { streamParts } from '../../platform/http/response/stream-parts.ts'
import type { ConcurrencyLimit } from '../../platform/scheduling/concurrency-limit.ts'
import { addPromptVersion } from './add-prompt-version.ts'
import { diffPrompt } from './diff-prompt.ts'
import { listPromptVersions } from './list-prompt-versions.ts'
import { PromptId } from './prompt.schema.ts'
import {
  NewPromptVersionSchema,
  PromptDiffQuerySchema,
  PromptDiffSchema,
  PromptVersionDetailSchema,
  PromptVersionId,
  PromptVersionsSchema,
} from './prompt-version.schema.ts'
import { requirePromptVersion } from './prompt-version.sql.ts'

const tags = ['Prompts']

export function promptVersionRoutes(
  database: Database,
  longLists: ConcurrencyLimit,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/prompts/:id/versions',
      {
        config: { scope: 'prompts:read', problems: ['not_found'], keepsPace: true },
        schema: {
          tags,
          operationId: 'listPromptVersions',
          summary: 'List the versions of a prompt template, oldest first',
          description: 'Returns every version with its text, oldest first.',
          params: PromptId,
          response: { 200: withoutTag(ref(PromptVersionsSchema), tagOfSmallResponse) },
        },
      },
      async ({ caller, method, params: { id } }, reply) => {
        const found = await listPromptVersions(database, caller.project_id, id)
        if ('versions' in found) return found
        reply.type('application/json; charset=utf-8')
        if (method === 'HEAD') return reply.send('' as never)
        const parts = async function* (signal: AbortSignal) {
          const leave = await longLists.enter(caller.project_id, signal)
          try {
            yield* found.parts()
          } finally {
            leave()
          }
        }
        return reply.send((await streamParts(reply, parts)) as never)
      },
    )

    app.post(
      '/prompts/:id/versions',
      {
        bodyLimit: promptLimits.bodyBytes,
        config: {
          scope: 'prompts:write',
          problems: ['not_found', 'newer_version', 'idempotency_in_flight', 'idempotency_mismatch'],
        },
        schema: {
          tags,
          operationId: 'addPromptVersion',
          summary: 'Add a version to a prompt template',
          description:
            'Adds a version (201). If a version already has this text, returns that version (200). `bump` raises the latest number; `version_number` sets a number above the latest. With `based_on`, the request is rejected if there is a newer version. With an `Idempotency-Key`, you can safely repeat the request for 24 hours.',
          params: PromptId,
          body: NewPromptVersionSchema,
          response: {
            200: ref(PromptVersionDetailSchema),
            201: withLocation(ref(PromptVersionDetailSchema)),
          },
        },
      },
      async (request, reply) =>
        respondOnce(database, request, reply, (writable) =>
          writable.transaction(async (tx) => {
            const { caller, params, body } = request
            const { project_id: projectId } = caller
            const { version, added } = await addPromptVersion(
              tx,
              projectId,
              params.id,
              authorOf(caller),
              body,
            )
            const location = `${requestUrl(request)}/${version.version_number}`
            return added ? { status: 201, location, body: version } : { status: 200, body: version }
          }),
        ),
    )

    app.get(
      '/prompts/:id/versions/:version_number',
      {
        config: { scope: 'prompts:read', problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'getPromptVersion',
          summary: 'Get a version of a prompt template',
          description: 'Returns one version with its message and variables. A version never changes.',
          params: PromptVersionId,
          response: { 200: ref(PromptVersionDetailSchema) },
        },
      },
      async ({ caller, params: { id, version_number } }) =>
        requirePromptVersion(database, caller.project_id, id, version_number),
    )

    app.get(
      '/prompts/:id/diff',
      {
        config: { scope: 'prompts:read', problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'diffPrompt',
          summary: 'Compare two versions of a prompt template',
          description:
            'Returns the hunks of a unified diff, and the added and removed variables. Without `from` and `to`, compares the latest version with the one before it.',
          params: PromptId,
          querystring: PromptDiffQuerySchema,
          response: { 200: ref(PromptDiffSchema) },
        },
      },
      async ({ caller, params: { id }, query }) => diffPrompt(database, caller.project_id, id, query),
    )
  }
}
