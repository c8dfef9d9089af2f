import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Problem } from '../../platform/http/problems.ts'
import { type SessionProject, SessionProjectSchema } from './session.schema.ts'

/** The project in the URL, for users who can open it. */
export const openProjectRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/', { schema: { response: { 200: SessionProjectSchema } } }, async ({ caller }) => {
    const { project_id: id, project_name: name, plan, currency, api_access, role, public_media } = caller
    if (role === undefined || public_media === undefined) throw new Problem('not_found')
    return { id, name, plan, currency, api_access, public_media, role } satisfies SessionProject
  })
}
