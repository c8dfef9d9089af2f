import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { actorOfCaller, type Caller } from '../../access/tokens/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import { ref } from '../../platform/http/openapi.ts'
import { pageEnvelope, readPage } from '../../platform/http/response/page-envelope.ts'
import { limitConcurrency } from '../../platform/scheduling/concurrency-limit.ts'
import { providerLimits } from '../limits.ts'
import {
  AiProviderName,
  AiProviderPageSchema,
  AiProviderPutSchema,
  AiProviderQuerySchema,
  AiProviderSchema,
  ProviderFindingsSchema,
} from './ai-provider.schema.ts'
import { listStoredProviders } from './ai-provider.sql.ts'
import type { Models } from './call-model.ts'
import { deleteProvider, type ProviderTools, putProvider } from './manage-provider.ts'
import { showProvider } from './show-provider.ts'
import { testProvider } from './test-provider.ts'

const tags = ['AI providers']
const scope = 'ai:manage'
const testsAtOnce = {
  most: providerLimits.tests,
  maxPerProject: providerLimits.testsPerProject,
  maxWaitSeconds: providerLimits.testWaitSeconds,
  maxWaiting: providerLimits.waitingTests,
}

export function aiProviderRoutes(
  database: Database,
  tools: ProviderTools,
  models: Models,
): FastifyPluginAsyncTypebox {
  const tests = limitConcurrency(testsAtOnce)

  return async (app) => {
    app.get(
      '/ai-providers',
      {
        config: { scope, problems: ['invalid_page'] },
        schema: {
          tags,
          operationId: 'listAiProviders',
          summary: 'List AI providers',
          description:
            'Returns the providers of the project (at most 10), and those that the operator offers to its plan. No response contains a key.',
          querystring: AiProviderQuerySchema,
          response: { 200: ref(AiProviderPageSchema) },
        },
      },
      async (request) => {
        const { project_id: projectId } = request.caller
        const page = readPage(request.query)
        const found = await listStoredProviders(database, projectId, page)
        const shown = found.results.map((row) => showProvider(tools.cipher, projectId, row))
        return pageEnvelope(request, page, { ...found, results: await Promise.all(shown) })
      },
    )

    app.put(
      '/ai-providers/:name',
      {
        config: { scope, problems: ['too_many_providers'] },
        schema: {
          tags,
          operationId: 'putAiProvider',
          summary: 'Connect or change an AI provider',
          description:
            'Creates the provider (201) or replaces it (200), and enables it. The service encrypts the key and never returns it. Without `key`, the service keeps the stored key. If you change the kind or the origin of `base_url`, send the key again.',
          params: AiProviderName,
          body: AiProviderPutSchema,
          response: { 200: ref(AiProviderSchema), 201: ref(AiProviderSchema) },
        },
      },
      async ({ caller, params, body }, reply) => {
        const { provider, isNew } = await putProvider(database, tools, placeOf(caller, params.name), body)
        if (isNew) reply.code(201)
        return provider
      },
    )

    app.delete(
      '/ai-providers/:name',
      {
        config: { scope, problems: ['not_found', 'provider_offered'] },
        schema: {
          tags,
          operationId: 'deleteAiProvider',
          summary: 'Delete an AI provider',
          description: 'Deletes the provider and its key. Its runs pause.',
          params: AiProviderName,
          response: { 204: Type.Null({ description: 'Deleted' }) },
        },
      },
      async ({ caller, params }, reply) => {
        await deleteProvider(database, placeOf(caller, params.name))
        return reply.code(204).send(null)
      },
    )

    app.post(
      '/ai-providers/:name/test',
      {
        config: { scope, problems: ['not_found', 'key_unreadable', 'provider_offered'] },
        schema: {
          tags,
          operationId: 'testAiProvider',
          summary: 'Test an AI provider',
          description:
            'Calls each model three times and reports what works. Runs then use the best way to request JSON from their model. The test uses a few tokens, which count toward no budget. The response never contains text from a model.',
          params: AiProviderName,
          response: { 200: ref(ProviderFindingsSchema) },
        },
      },
      async ({ caller, params }) =>
        tests.run(
          () => testProvider(database, { cipher: tools.cipher, models }, placeOf(caller, params.name)),
          caller.project_id,
        ),
    )
  }
}

function placeOf(caller: Caller, name: string) {
  return { projectId: caller.project_id, actor: actorOfCaller(caller), name }
}
