import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { bulkLimits, type Database } from '../../../platform/database/database.ts'
import { closed } from '../../../platform/http/closed.ts'
import { ref } from '../../../platform/http/openapi.ts'
import { Problem } from '../../../platform/http/problems.ts'
import { respondOnce } from '../../../platform/http/request/idempotency.ts'
import { requestUrl } from '../../../platform/http/response/page-envelope.ts'
import { withLocation } from '../../../platform/http/response/response-headers.ts'
import { prepareFilters } from '../../products/prepare-filters.ts'
import type { Rulesets } from '../../rulesets/rulesets.ts'
import { ProposalSchema, TitleSchema } from '../proposal.schema.ts'
import { showProposal } from '../proposal.sql.ts'
import { defaultTitle } from '../proposal-create.routes.ts'
import { FilterSchema, filterProblem, readFilter } from '../read-filter.ts'
import { checkCategories } from './check-categories.ts'
import { checkEdits } from './check-edits.ts'
import { EditsSchema } from './edit.schema.ts'
import { proposeEdits } from './propose-edits.ts'

const FromFilterSchema = Type.Object(
  {
    title: Type.Optional(Type.String({ ...TitleSchema, default: defaultTitle })),
    filter: FilterSchema,
    edits: EditsSchema,
  },
  {
    $id: 'ProposalFromFilter',
    ...closed,
    examples: [
      {
        title: 'Five percent more',
        filter: 'status=active&price__gte=10',
        edits: [{ field: 'price', op: 'multiply', value: 1.05 }],
      },
    ],
  },
)

export function proposalEditsRoutes(database: Database, rulesets: Rulesets): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/proposals/from-filter',
      {
        config: {
          scope: 'products:propose',
          problems: ['too_many_proposals', 'view_marking', 'idempotency_in_flight', 'idempotency_mismatch'],
        },
        schema: {
          tags: ['Proposals'],
          operationId: 'createProposalFromFilter',
          summary: 'Propose edits to all products that match a filter, up to 100,000',
          description:
            'Selects the matching products now, and prepares their lines in the background; `summary` shows the progress. The catalog does not change until you apply the proposal.',
          body: FromFilterSchema,
          response: { 201: withLocation(ref(ProposalSchema)) },
        },
      },
      async (request, reply) =>
        respondOnce(
          database,
          request,
          reply,
          async (writable) => {
            const { caller, body } = request
            const { title = defaultTitle, edits } = body
            const editErrors = checkEdits(edits)
            const errors =
              editErrors.length > 0 ? editErrors : await checkCategories(database, caller.project_id, edits)
            if (errors.length > 0) throw new Problem('invalid_body', { errors })
            const query = readFilter(body.filter)
            const filters = await prepareFilters(database, rulesets, caller, query).catch((error) => {
              throw error instanceof Problem ? filterProblem(error) : error
            })
            const { project_id: projectId, token_name: actor, token_id } = caller
            const tokenId = token_id === 0 ? null : token_id
            const proposal = await proposeEdits(writable, {
              projectId,
              actor,
              tokenId,
              title,
              filters,
              edits,
            })
            const location = `${requestUrl(request).replace(/from-filter$/, '')}${proposal.id}`
            return { status: 201, location, body: showProposal(proposal) }
          },
          bulkLimits,
        ),
    )
  }
}
