import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import { proposalLimits } from '../../model/limits/proposals.ts'
import { grants } from '../../model/scopes.ts'
import { abortQueries } from '../../platform/database/abort-queries.ts'
import { bulkLimits, type Database } from '../../platform/database/database.ts'
import { allowNoBody } from '../../platform/http/body/allow-no-body.ts'
import { ref } from '../../platform/http/openapi.ts'
import { Problem } from '../../platform/http/problems.ts'
import { orderBy } from '../../platform/http/query/ordering.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import { respondOnce } from '../../platform/http/request/idempotency.ts'
import { withoutTimeout } from '../../platform/http/request/without-timeout.ts'
import { disconnectSignal } from '../../platform/http/response/client-disconnect.ts'
import type { ReadLargePage } from '../../platform/http/response/large-pages.ts'
import { pageEnvelope, readPage } from '../../platform/http/response/page-envelope.ts'
import type { ConcurrencyLimit } from '../../platform/scheduling/concurrency-limit.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { applyProposal } from './apply-proposal.ts'
import { describeLine } from './describe-line.ts'
import { discardProposal } from './discard-proposal.ts'
import { listLines } from './line-list.sql.ts'
import {
  ApplySchema,
  DiscardSchema,
  ProposalId,
  ProposalLinePageSchema,
  ProposalLineQuerySchema,
  ProposalPageSchema,
  ProposalQuerySchema,
  ProposalSchema,
} from './proposal.schema.ts'
import { listProposals, requireProposal } from './proposal.sql.ts'
import { showProposal } from './proposal-events.ts'

const tags = ['Proposals']

export function proposalRoutes(
  database: Database,
  rulesets: Rulesets,
  readLargePage: ReadLargePage,
  atOnce: ConcurrencyLimit,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/proposals',
      {
        config: { scope: 'products:read', problems: ['invalid_page'] },
        schema: {
          tags,
          operationId: 'listProposals',
          summary: 'List proposals',
          description:
            'Returns a page of the proposals of the project, with the number of lines in each state.',
          querystring: ProposalQuerySchema,
          response: { 200: ref(ProposalPageSchema) },
        },
      },
      async (request) => {
        const { caller, query } = request
        const page = readPage(query)
        const order = orderBy('proposal', query.ordering)
        return pageEnvelope(
          request,
          page,
          await listProposals(database, caller.project_id, query, order, page),
        )
      },
    )

    app.get(
      '/proposals/:id',
      {
        config: { scope: 'products:read', problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'getProposal',
          summary: 'Get a proposal and its progress',
          description: 'While a proposal is prepared or applied, the counts in `summary` show the progress.',
          params: ProposalId,
          response: { 200: ref(ProposalSchema) },
        },
      },
      async ({ caller, params }) =>
        showProposal(await requireProposal(database, caller.project_id, params.id)),
    )

    app.get(
      '/proposals/:id/lines',
      {
        config: { scope: 'products:read', problems: ['not_found', 'invalid_page', 'page_too_large'] },
        schema: {
          tags,
          operationId: 'listProposalLines',
          summary: 'List the lines of a proposal with their changes',
          description:
            'Returns the complete value of each field before and after, the quality score before and after, and the state of the line. A conflict shows the value when the change was proposed, the current value, and the proposed value.',
          params: ProposalId,
          querystring: ProposalLineQuerySchema,
          response: { 200: ref(ProposalLinePageSchema) },
        },
      },
      async (request, reply) => {
        const { caller, params, query } = request
        await requireProposal(database, caller.project_id, params.id)
        const page = readPage(query)
        const signal = disconnectSignal(reply)
        const reader = abortQueries(database, signal)
        const read = (maxBytes: number) =>
          listLines(reader, caller.project_id, params.id, query, page, maxBytes)
        const { results, ...found } = await readLargePage(caller.project_id, page, read, signal)
        const lines = results.map((line) => describeLine(line, () => baseUrlOf(request)))
        return pageEnvelope(request, page, { ...found, results: lines })
      },
    )

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
