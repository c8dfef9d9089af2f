import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import {
  AttributeDefinitionInputSchema,
  AttributeDefinitionPageSchema,
  AttributeDefinitionPatchSchema,
  AttributeDefinitionQuerySchema,
  AttributeDefinitionSchema,
  AttributeDefinitionSetSchema,
  AttributeDefinitionsPutSchema,
} from '../../model/attributes/attribute-definition.schema.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { ref } from '../../platform/http/openapi.ts'
import { respondOnce } from '../../platform/http/request/idempotency.ts'
import { pageEnvelope, readPage, requestUrl, sliceOf } from '../../platform/http/response/page-envelope.ts'
import { withLocation } from '../../platform/http/response/response-headers.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import {
  changeDefinition,
  createDefinition,
  deleteDefinition,
  replaceDefinitions,
  requireDefinition,
} from './manage-definitions.ts'

const tags = ['Attributes']
const Name = Type.Object({ name: Type.String({ description: 'The exact name, percent-encoded' }) })

export function attributeDefinitionRoutes(database: Database, rulesets: Rulesets): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/attributes',
      {
        config: { scope: 'products:read', problems: ['invalid_page'] },
        schema: {
          tags,
          operationId: 'listAttributes',
          summary: 'List attribute definitions',
          description:
            'Returns the attribute definitions of the project, ordered by position and name. Attributes without a definition accept any value.',
          querystring: AttributeDefinitionQuerySchema,
          response: { 200: ref(AttributeDefinitionPageSchema) },
        },
      },
      async (request) => {
        const page = readPage(request.query)
        const { definitions } = await rulesets.of(request.caller)
        return pageEnvelope(request, page, sliceOf(definitions, page))
      },
    )

    app.get(
      '/attributes/:name',
      {
        config: { scope: 'products:read', problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'getAttribute',
          summary: 'Get an attribute definition',
          description:
            'Returns one definition by attribute name. The name must match exactly, including case.',
          params: Name,
          response: { 200: ref(AttributeDefinitionSchema) },
        },
      },
      async ({ caller, params }) => requireDefinition((await rulesets.of(caller)).definitions, params.name),
    )

    app.post(
      '/attributes',
      {
        config: {
          scope: 'products:write',
          managersOnly: true,
          problems: ['duplicate_name', 'idempotency_in_flight', 'idempotency_mismatch'],
        },
        schema: {
          tags,
          operationId: 'createAttribute',
          summary: 'Define an attribute',
          description:
            'Only `name` and `type` are required. In the default mode `warn`, no write is rejected: errors lower the quality score, and a push reports them. Existing products do not change.',
          body: AttributeDefinitionInputSchema,
          response: { 201: withLocation(ref(AttributeDefinitionSchema)) },
        },
      },
      async (request, reply) =>
        respondOnce(database, request, reply, (writable) =>
          writable.transaction(async (tx) => {
            const { caller } = request
            const body = await createDefinition(tx, caller.project_id, authorOf(caller), request.body)
            return { status: 201, location: `${requestUrl(request)}/${encodeURIComponent(body.name)}`, body }
          }),
        ),
    )

    app.patch(
      '/attributes/:name',
      {
        config: { scope: 'products:write', managersOnly: true, problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'patchAttribute',
          summary: 'Update an attribute definition',
          description:
            'A JSON merge patch: fields that you leave out do not change, and null clears a field. You cannot change the name.',
          params: Name,
          body: AttributeDefinitionPatchSchema,
          response: { 200: ref(AttributeDefinitionSchema) },
        },
      },
      async ({ caller, params, body }) => {
        const { project_id: project } = caller
        const work = (tx: Transaction) => changeDefinition(tx, project, authorOf(caller), params.name, body)
        return database.transaction(work, { project })
      },
    )

    app.delete(
      '/attributes/:name',
      {
        config: { scope: 'products:write', managersOnly: true, problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'deleteAttribute',
          summary: 'Delete an attribute definition',
          description: 'The attribute accepts any value again. Products keep their values.',
          params: Name,
          response: { 204: Type.Null({ description: 'Deleted' }) },
        },
      },
      async ({ caller, params }, reply) => {
        const { project_id: project } = caller
        const work = (tx: Transaction) => deleteDefinition(tx, project, authorOf(caller), params.name)
        await database.transaction(work, { project })
        reply.code(204)
        return null
      },
    )

    app.put(
      '/attributes',
      {
        config: { scope: 'products:write', managersOnly: true },
        schema: {
          tags,
          operationId: 'putAttributes',
          summary: 'Replace all attribute definitions',
          description:
            'Replaces all definitions with the given set, atomically. Definitions that the set leaves out are deleted. A set that changes nothing does not create a new ruleset version.',
          querystring: Type.Object({
            dry_run: Type.Optional(
              Type.Boolean({
                default: false,
                description: 'Report what would change without writing anything',
              }),
            ),
          }),
          body: AttributeDefinitionSetSchema,
          response: { 200: ref(AttributeDefinitionsPutSchema) },
        },
      },
      async ({ caller, query, body }) =>
        replaceDefinitions(
          database,
          caller.project_id,
          authorOf(caller),
          body.attributes,
          query.dry_run === true,
        ),
    )
  }
}
