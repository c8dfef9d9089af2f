import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { orderBy, orderingParameter } from '../../platform/http/query/ordering.ts'
import { searchParameter } from '../../platform/http/query/search-parameter.ts'
import {
  pageEnvelope,
  pageParameters,
  readPage,
  requestUrl,
} from '../../platform/http/response/page-envelope.ts'
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
const ProjectsQuery = Type.Object({
  ...pageParameters,
  search: searchParameter('the name or the id'),
  plan: Type.Optional(Type.String({ maxLength: 64 })),
  has_api_access: Type.Optional(Type.Boolean()),
  ordering: orderingParameter(['id', 'name', 'created_at', 'products', 'requests_30_days']),
})

/** Projects with their plans, limits and usage, for the admin area. */
export function operatorProjectRoutes(database: Database): FastifyPluginAsyncTypebox {
  async function requireOperatorProject(id: number): Promise<OperatorProject> {
    const project = await findOperatorProject(database, id)
    if (project === undefined) throw new Problem('not_found', { detail: `There is no project ${id}.` })
    return project
  }

  return async (app) => {
    app.get(
      '/projects',
      { schema: { querystring: ProjectsQuery, response: { 200: OperatorProjectPageSchema } } },
      async (request) => {
        const page = readPage(request.query)
        const { search, plan, has_api_access, ordering } = request.query
        const filters = {
          ...(search !== undefined && { search }),
          ...(plan !== undefined && { plan }),
          ...(has_api_access !== undefined && { has_api_access }),
        }
        const found = await listOperatorProjects(database, filters, orderBy('', ordering), page)
        return pageEnvelope(request, page, found)
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
        reply.code(201).header('location', `${requestUrl(request)}/${id}`)
        return requireOperatorProject(id)
      },
    )

    app.patch(
      '/projects/:id',
      { schema: { params: Id, body: ProjectChangesSchema, response: { 200: OperatorProjectSchema } } },
      async ({ session, params: { id }, body }) => {
        const { plan, api_access: apiAccess, rate_limit: limit, media } = body
        const { self_service_tokens: selfServiceTokens, self_service_scopes: selfServiceScopes } = body
        const rateLimit = limit === undefined ? undefined : String(limit)
        const changes = { plan, apiAccess, rateLimit, selfServiceTokens, selfServiceScopes, media }
        await changeProject(database, { name: session.email }, id, changes)
        return requireOperatorProject(id)
      },
    )
  }
}
