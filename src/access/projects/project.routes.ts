import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ref } from '../../platform/http/openapi.ts'
import { ProjectSchema, rateLimitOf } from './project.schema.ts'

export const projectRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/project',
    {
      config: { scope: 'any' },
      schema: {
        tags: ['Project'],
        operationId: 'getProject',
        summary: "Get the token's project",
        description:
          'Returns the project that the token belongs to and what it allows: plan, API access, currency, rate limit and scopes.',
        response: { 200: ref(ProjectSchema) },
      },
    },
    // Authentication has already read everything for this request.
    async ({ caller }) => ({
      id: caller.project_id,
      name: caller.project_name,
      plan: caller.plan,
      api_access: caller.api_access,
      currency: caller.currency,
      rate_limit: rateLimitOf(caller),
      token: { id: caller.token_id, name: caller.token_name, scopes: caller.scopes },
    }),
  )
}
