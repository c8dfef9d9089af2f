import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { bulkLimits, type Database } from '../../../platform/database/database.ts'
import { allowNoBody } from '../../../platform/http/body/allow-no-body.ts'
import { closed } from '../../../platform/http/closed.ts'
import { ref } from '../../../platform/http/openapi.ts'
import { respondOnce } from '../../../platform/http/request/idempotency.ts'
import { requestUrl } from '../../../platform/http/response/page-envelope.ts'
import { withLocation } from '../../../platform/http/response/response-headers.ts'
import { ProposalId, ProposalSchema } from '../proposal.schema.ts'
import { showProposal } from '../proposal.sql.ts'
import { revertProposal } from './revert-proposal.ts'

const RevertSchema = Type.Object({}, { $id: 'ProposalRevert', ...closed, examples: [{}] })

export function proposalRevertRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/proposals/:id/revert',
      {
        preValidation: allowNoBody,
        config: {
          scope: 'products:propose',
          problems: [
            'proposal_preparing',
            'proposal_closed',
            'too_many_proposals',
            'idempotency_in_flight',
            'idempotency_mismatch',
          ],
        },
        schema: {
          tags: ['Proposals'],
          operationId: 'revertProposal',
          summary: 'Create a proposal that reverts an applied proposal',
          description:
            'Creates a new proposal with the inverse of all applied lines: fields change back to their former values, and created products become archived. Apply it to revert the changes. Fields that someone has changed since are conflicts.',
          params: ProposalId,
          body: RevertSchema,
          response: { 201: withLocation(ref(ProposalSchema)) },
        },
      },
      async (request, reply) =>
        respondOnce(
          database,
          request,
          reply,
          async (writable) => {
            const { project_id: projectId, token_name: actor, token_id } = request.caller
            const { id } = request.params
            const tokenId = token_id === 0 ? null : token_id
            const proposal = await revertProposal(writable, { projectId, id, actor, tokenId })
            const location = `${requestUrl(request).replace(/\d+\/revert$/, '')}${proposal.id}`
            return { status: 201, location, body: showProposal(proposal) }
          },
          bulkLimits,
        ),
    )
  }
}
