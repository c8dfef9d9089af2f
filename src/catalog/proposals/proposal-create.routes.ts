import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import type { Database, Writable } from '../../platform/database/database.ts'
import { ref } from '../../platform/http/openapi.ts'
import { answerOnce } from '../../platform/http/request/idempotency.ts'
import { refuseCharsets } from '../../platform/http/request/json-body.ts'
import { withLines } from '../../platform/http/request/receive-lines.ts'
import { located } from '../../platform/http/response/answer-headers.ts'
import { addressOf } from '../../platform/http/response/page-envelope.ts'
import { shownIn } from '../products/show-product.ts'
import {
  acceptLines,
  compileButBody,
  linesBody,
  modeParameter,
  readOnlyParameter,
} from '../push/lines-body.ts'
import type { PushLimits } from '../push/product-push.routes.ts'
import { bulkLimits } from '../push/push-products.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { createProposal } from './create-proposal.ts'
import { ProposalSchema, TitleSchema } from './proposal.schema.ts'
import { requireProposal } from './proposal.sql.ts'
import { shown } from './tell-proposal.ts'

export const defaultTitle = 'Proposal'

const ProposeQuerySchema = Type.Object({
  title: Type.Optional(Type.String({ ...TitleSchema, default: defaultTitle })),
  ...modeParameter,
  ...readOnlyParameter,
})

export function proposalCreateRoutes(
  database: Database,
  rulesets: Rulesets,
  { reserveBodyMemory, atOnce }: PushLimits,
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
            'idempotency_in_flight',
            'idempotency_mismatch',
          ],
        },
        validatorCompiler: compileButBody,
        schema: {
          tags: ['Proposals'],
          operationId: 'createProposal',
          summary: 'Propose to create and change up to 10,000 products',
          description:
            'Takes the body of a push, keeps what it would do, and changes nothing of the catalog. Look at its lines, then apply or discard it. With an `Idempotency-Key` the request can be repeated safely for 24 hours.',
          querystring: ProposeQuerySchema,
          body: linesBody,
          response: { 201: located(ref(ProposalSchema)) },
        },
      },
      async (request, reply) => {
        const { caller, query } = request
        refuseCharsets(request)
        const author = authorOf(caller)
        const { project_id: projectId, token_id } = caller
        const ruleset = await rulesets.of(caller)
        const proposing = {
          push: {
            projectId,
            author,
            ruleset,
            mode: query.mode ?? 'upsert',
            show: query.read_only === 'ignore' ? undefined : shownIn(rulesets, caller.currency),
          },
          title: query.title ?? defaultTitle,
          origin: author.source,
          tokenId: token_id === 0 ? null : token_id,
        } as const
        const propose = async (writable: Writable, lines: Parameters<typeof createProposal>[2]) => {
          const id = await createProposal(writable, proposing, lines)
          const body = shown(await requireProposal(writable, projectId, id))
          return { status: 201, location: `${addressOf(request)}/${id}`, body }
        }
        return withLines(request, reserveBodyMemory(projectId), (lines) =>
          atOnce.run(
            () => answerOnce(database, request, reply, (writable) => propose(writable, lines), bulkLimits),
            projectId,
          ),
        )
      },
    )
  }
}
