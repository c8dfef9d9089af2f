import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { authorOf } from '../../../access/tokens/caller.ts'
import { grants } from '../../../model/scopes.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ref } from '../../../platform/http/openapi.ts'
import { notFound } from '../../../platform/http/problems.ts'
import { baseUrlOf } from '../../../platform/http/request/base-url.ts'
import type { Rulesets } from '../../rulesets/rulesets.ts'
import { describeLine } from '../describe-line.ts'
import { listLines } from '../line-list.sql.ts'
import { ProposalLineSchema } from '../proposal.schema.ts'
import { editLine } from './edit-line.ts'
import { EditedLine, LineEditSchema } from './line-edit.schema.ts'

export function lineEditRoutes(database: Database, rulesets: Rulesets): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.patch(
      '/proposals/:id/lines/:line',
      {
        config: {
          scope: 'products:propose',
          checksRevision: true,
          problems: [
            'not_found',
            'proposal_preparing',
            'proposal_closed',
            'line_closed',
            'precondition_failed',
          ],
        },
        schema: {
          tags: ['Proposals'],
          operationId: 'editProposalLine',
          summary: 'Edit a line of a proposal',
          description:
            'Changes what an open line, or a line in conflict, proposes. The values in `patch` replace those of the line; other fields do not change. The service checks the line like a line of a push, and stores nothing if it has errors. The line shows the first version of its changes in `original`. A token that has only the scope `products:propose` can edit only its own proposals.',
          params: EditedLine,
          body: LineEditSchema,
          response: { 200: ref(ProposalLineSchema) },
        },
      },
      async (request) => {
        const { caller, params, body } = request
        const { project_id: projectId, scopes, token_id } = caller
        const ruleset = await rulesets.of(caller)
        await editLine(database, {
          push: { projectId, author: authorOf(caller), ruleset, mode: 'upsert' },
          ...{ id: params.id, line: params.line, patch: body.patch, revision: body.revision },
          onlyTokenId: grants(scopes, 'products:write') ? null : token_id,
        })
        const page = { number: 1, size: 1 }
        const one = { line: params.line }
        const { results } = await listLines(
          database,
          projectId,
          params.id,
          one,
          page,
          Number.MAX_SAFE_INTEGER,
        )
        const [line] = results
        if (line === undefined) throw notFound('proposal line', params.line)
        return describeLine(line, () => baseUrlOf(request))
      },
    )
  }
}
