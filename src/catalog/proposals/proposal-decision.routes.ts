import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import { proposalLimits } from '../../model/limits/proposals.ts'
import { grants } from '../../model/scopes.ts'
import { bulkLimits, type Database } from '../../platform/database/database.ts'
import { allowNoBody } from '../../platform/http/body/allow-no-body.ts'
import { closed } from '../../platform/http/closed.ts'
import { ref } from '../../platform/http/openapi.ts'
import { Problem } from '../../platform/http/problems.ts'
import { respondOnce } from '../../platform/http/request/idempotency.ts'
import { withoutTimeout } from '../../platform/http/request/without-timeout.ts'
import type { ConcurrencyLimit } from '../../platform/scheduling/concurrency-limit.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { applyProposal } from './apply-proposal.ts'
import { discardProposal } from './discard-proposal.ts'
import { ProposalId, ProposalSchema, RevisionRange } from './proposal.schema.ts'
import { showProposal } from './proposal.sql.ts'

const tags = ['Proposals']

const LineNumbers = Type.Array(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
  minItems: 1,
  maxItems: proposalLimits.selectedLines,
  description:
    'Only these lines. By default, apply uses all open lines, and discard all lines that are not applied.',
})

const ApplySchema = Type.Object(
  {
    lines: Type.Optional(LineNumbers),
    overwrite: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Also writes the listed lines that are in conflict, over the changes of others',
      }),
    ),
    revision: Type.Optional(
      Type.Integer({
        ...RevisionRange,
        description:
          'The revision of the proposal that you have read. If the proposal has another one, the request returns 412 and applies nothing.',
      }),
    ),
  },
  { $id: 'ProposalApply', ...closed, examples: [{ lines: [1], revision: 1 }] },
)

const DiscardSchema = Type.Object(
  { lines: Type.Optional(LineNumbers) },
  { $id: 'ProposalDiscard', ...closed, examples: [{ lines: [2] }] },
)

export function proposalDecisionRoutes(
  database: Database,
  rulesets: Rulesets,
  atOnce: ConcurrencyLimit,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/proposals/:id/apply',
      {
        preValidation: allowNoBody,
        config: {
          scope: 'products:write',
          maxMembers: proposalLimits.selectedLines,
          managersOnly: true,
          checksRevision: true,
          problems: ['proposal_preparing', 'proposal_closed', 'precondition_failed', 'view_currency_changed'],
        },
        schema: {
          tags,
          operationId: 'applyProposal',
          summary: 'Apply a proposal, or some of its lines',
          description:
            'Merges by field: a field that has not changed since the proposal is written. If someone else has changed a field of a line, the line becomes a `conflict` and its product does not change. Changes to other fields do not matter. You can repeat the request: applied lines stay applied, and an interrupted apply continues. Send the `revision` that you have reviewed: the service then applies no line that someone has edited since.',
          params: ProposalId,
          body: ApplySchema,
          response: { 200: ref(ProposalSchema) },
        },
      },
      async (request) => {
        const { caller, params } = request
        const { lines: numbers, overwrite = false, revision } = request.body
        if (overwrite && numbers === undefined) throw linesRequired()
        const author = { ...authorOf(caller), proposal: params.id }
        const ruleset = await rulesets.of(caller)
        const push = { projectId: caller.project_id, author, ruleset, mode: 'upsert' } as const
        const applying = { push, proposalId: params.id, reviewer: author.actor, numbers, overwrite, revision }
        const work = () => atOnce.run(() => applyProposal(database, applying), caller.project_id)
        return showProposal(await withoutTimeout(request, work))
      },
    )

    app.post(
      '/proposals/:id/discard',
      {
        preValidation: allowNoBody,
        config: {
          scope: 'products:propose',
          maxMembers: proposalLimits.selectedLines,
          problems: [
            'proposal_preparing',
            'proposal_closed',
            'idempotency_in_flight',
            'idempotency_mismatch',
          ],
        },
        schema: {
          tags,
          operationId: 'discardProposal',
          summary: 'Discard a proposal, or some of its lines',
          description:
            'Applied lines stay applied. A token that has only the scope `products:propose` can discard only its own proposals.',
          params: ProposalId,
          body: DiscardSchema,
          response: { 200: ref(ProposalSchema) },
        },
      },
      async (request, reply) =>
        respondOnce(
          database,
          request,
          reply,
          async (writable) => {
            const { caller, params, body } = request
            const onlyTokenId = grants(caller.scopes, 'products:write') ? null : caller.token_id
            const discarding = {
              projectId: caller.project_id,
              author: authorOf(caller),
              id: params.id,
              numbers: body.lines,
              onlyTokenId,
            }
            return { status: 200, body: showProposal(await discardProposal(writable, discarding)) }
          },
          bulkLimits,
        ),
    )
  }
}

function linesRequired(): Problem {
  const message = 'is required with overwrite; list the lines whose conflicts you have reviewed'
  return new Problem('invalid_body', { errors: [{ pointer: '/lines', code: 'required', message }] })
}
