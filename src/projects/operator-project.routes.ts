import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../database/database.ts'
import { Problem } from '../http/problems.ts'
import { addressOf, pageEnvelope, pageParameters, readPage } from '../http/response/page-envelope.ts'
import { changeProject, createProject } from './manage-project.ts'
import {
  NewProjectSchema,
  type OperatorProject,
  OperatorProjectPageSchema,
  OperatorProjectSchema,
  ProjectChangesSchema,
} from './operator-project.schema.ts'
import { findOperatorProject, listOperatorProjects } from './operator-project.sql.ts'

const Id = Type.Object({ id: Type.Integer() })

/** Projects with their plans, limits and usage, on the operator's desk. */
export function operatorProjectRoutes(database: Database): FastifyPluginAsyncTypebox {
  async function requireOperatorProject(id: number): Promise<OperatorProject> {
    const project = await findOperatorProject(database, id)
    if (project === undefined) throw new Problem('not_found', { detail: `There is no project ${id}.` })
    return project
  }

  return async (app) => {
    app.get(
      '/projects',
      { schema: { querystring: Type.Object(pageParameters), response: { 200: OperatorProjectPageSchema } } },
      async (request) => {
        const page = readPage(request.query)
        return pageEnvelope(request, page, await listOperatorProjects(database, page))
      },
    )

    app.get(
      '/projects/:id',
      { schema: { params: Id, response: { 200: OperatorProjectSchema } } },
      async ({ params: { id } }) => requireOperatorProject(id),
    )

    app.post(
      '/projects',
      { schema: { body: NewProjectSchema, response: { 201: OperatorProjectSchema } } },
      async (request, reply) => {
        const { id } = await createProject(database, { name: request.session.email }, request.body)
        reply.code(201).header('location', `${addressOf(request)}/${id}`)
        return requireOperatorProject(id)
      },
    )

    app.patch(
      '/projects/:id',
      { schema: { params: Id, body: ProjectChangesSchema, response: { 200: OperatorProjectSchema } } },
      async ({ session, params: { id }, body }) => {
        const { plan, api_access: apiAccess, rate_limit: limit } = body
        const { self_service_tokens: selfServiceTokens, self_service_scopes: selfServiceScopes } = body
        const rateLimit = limit === undefined ? undefined : String(limit)
        const changes = { plan, apiAccess, rateLimit, selfServiceTokens, selfServiceScopes }
        await changeProject(database, { name: session.email }, id, changes)
        return requireOperatorProject(id)
      },
    )
  }
}
