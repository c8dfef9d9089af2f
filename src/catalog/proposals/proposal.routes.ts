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

/** Reads of proposals, and what is decided of them. */
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
            'A page of the proposals of the project, with how many of their lines are in which state.',
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
          summary: 'Get a proposal, and how far it is',
          description: 'While it is prepared or applied, the counts in `summary` tell how far that is.',
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
          summary: 'The lines of a proposal: what each would change, or has changed',
          description:
            'Whole values before and after by field, the score before and after, and what has become of the line. A conflict tells what a field was when the change was proposed, what it is now, and what it would be.',
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
        const read = (mostBytes: number) =>
          listLines(reader, caller.project_id, params.id, query, page, mostBytes)
        const { results, ...found } = await readLargePage(caller.project_id, page, read, signal)
        return pageEnvelope(request, page, { ...found, results: results.map(describeLine) })
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
          problems: ['proposal_preparing', 'proposal_closed'],
        },
        schema: {
          tags,
          operationId: 'applyProposal',
          summary: 'Write what a proposal says, or some of its lines',
          description:
            'Three-way, by field: a field that is still as it was when the change was proposed is written; a line with a field that somebody else changed since becomes a `conflict`, and its product is left alone. Other fields may have changed freely. It may be repeated: what is applied stays so, and whatever was cut off goes on.',
          params: ProposalId,
          body: ApplySchema,
          response: { 200: ref(ProposalSchema) },
        },
      },
      async (request) => {
        const { caller, params } = request
        const { lines: numbers, overwrite = false } = request.body
        if (overwrite && numbers === undefined) throw unnamed()
        const author = { ...authorOf(caller), proposal: params.id }
        const ruleset = await rulesets.of(caller)
        const push = { projectId: caller.project_id, author, ruleset, mode: 'upsert' } as const
        const applying = { push, proposalId: params.id, reviewer: author.actor, numbers, overwrite }
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
            'Lines that are applied stay so. A token with the scope `products:propose` alone discards only what it has proposed itself.',
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

function unnamed(): Problem {
  const message = 'is required with overwrite; name the lines whose conflicts you have seen'
  return new Problem('invalid_body', { errors: [{ pointer: '/lines', code: 'required', message }] })
}
