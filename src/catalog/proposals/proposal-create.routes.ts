import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import { pushBody, pushParameters } from '../../model/product/push-input.schema.ts'
import { bulkLimits, type Database, type Writable } from '../../platform/database/database.ts'
import { acceptLines, type LargeBodyLimits, withLines } from '../../platform/http/body/receive-lines.ts'
import { ref } from '../../platform/http/openapi.ts'
import { respondOnce } from '../../platform/http/request/idempotency.ts'
import { requestUrl } from '../../platform/http/response/page-envelope.ts'
import { withLocation } from '../../platform/http/response/response-headers.ts'
import { shownIn, viewOf } from '../products/show-product.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { createProposal } from './create-proposal.ts'
import { ProposalSchema, TitleSchema } from './proposal.schema.ts'
import { requireProposal, showProposal } from './proposal.sql.ts'

export const defaultTitle = 'Proposal'

const ProposeQuerySchema = Type.Object({
  title: Type.Optional(Type.String({ ...TitleSchema, default: defaultTitle })),
  ...pushParameters,
})

export function proposalCreateRoutes(
  database: Database,
  rulesets: Rulesets,
  limits: LargeBodyLimits,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    acceptLines(app)

    app.post(
      '/proposals',
      {
        config: {
          scope: 'products:propose',
          problems: [
            'request_timeout',
            'too_many_proposals',
            'view_currency_changed',
            'idempotency_in_flight',
            'idempotency_mismatch',
          ],
        },
        schema: {
          tags: ['Proposals'],
          operationId: 'createProposal',
          summary: 'Propose changes to up to 10,000 products',
          description:
            'Takes the body of a push and stores its changes without changing the catalog. Review the lines, then apply or discard the proposal. With an `Idempotency-Key`, you can safely repeat the request for 24 hours.',
          querystring: ProposeQuerySchema,
          body: pushBody,
          response: { 201: withLocation(ref(ProposalSchema)) },
        },
      },
      async (request, reply) => {
        const { caller, query } = request
        const author = authorOf(caller)
        const { project_id: projectId, token_id } = caller
        const ruleset = await rulesets.of(caller)
        const proposing = {
          push: {
            projectId,
            author,
            ruleset,
            mode: query.mode ?? 'upsert',
            show: query.read_only === 'ignore' ? undefined : shownIn(rulesets, viewOf(request)),
          },
          title: query.title ?? defaultTitle,
          origin: author.source,
          tokenId: token_id === 0 ? null : token_id,
        } as const
        const propose = async (writable: Writable, lines: Parameters<typeof createProposal>[2]) => {
          const id = await createProposal(writable, proposing, lines)
          const body = showProposal(await requireProposal(writable, projectId, id))
          return { status: 201, location: `${requestUrl(request)}/${id}`, body }
        }
        return withLines(request, projectId, limits, (lines) =>
          respondOnce(database, request, reply, (writable) => propose(writable, lines), bulkLimits),
        )
      },
    )
  }
}
