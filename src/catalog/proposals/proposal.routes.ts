import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { abortQueries } from '../../platform/database/abort-queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { ref } from '../../platform/http/openapi.ts'
import { orderBy } from '../../platform/http/query/ordering.ts'
import { baseUrlOf } from '../../platform/http/request/base-url.ts'
import { disconnectSignal } from '../../platform/http/response/client-disconnect.ts'
import type { ReadLargePage } from '../../platform/http/response/large-pages.ts'
import { pageEnvelope, readPage } from '../../platform/http/response/page-envelope.ts'
import { describeLine } from './describe-line.ts'
import { listLines } from './line-list.sql.ts'
import {
  ProposalId,
  ProposalLinePageSchema,
  ProposalLineQuerySchema,
  ProposalPageSchema,
  ProposalQuerySchema,
  ProposalSchema,
} from './proposal.schema.ts'
import { listProposals, requireProposal, showProposal } from './proposal.sql.ts'

const tags = ['Proposals']

export function proposalRoutes(database: Database, readLargePage: ReadLargePage): FastifyPluginAsyncTypebox {
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
  }
}
