import { proposalLimits } from '../model/limits/proposals.ts'
import { agentLimits } from './limits.ts'
import { shortenedOutput } from './page-content.ts'
import { shortened } from './shorten-content.ts'
import { type Content, objectOf, outputOf, type Session, type Tool } from './tool.ts'
import { queryOf } from './tool-query.ts'

const title = {
  type: 'string',
  minLength: 1,
  maxLength: proposalLimits.titleCharacters / 2,
  description: 'Purpose of the change. The service appends the name of the token',
}
export const proposalId = objectOf({ id: { type: 'integer', minimum: 1 } }, ['id'])

const score = { type: ['number', 'null'] }
export const proposalOutput = outputOf(
  {
    id: { type: 'integer' },
    state: { type: 'string', description: '`preparing` until all lines are compared with the catalog' },
    revision: { type: 'integer', description: 'Increases each time that a line is edited' },
    summary: { type: 'object', description: 'Lines by expected outcome and by state' },
    score: {
      ...objectOf({ before: score, after: score, lines: { type: 'integer' } }),
      description: 'Mean quality score of the first lines before and after the change',
    },
    review_url: { type: 'string', description: 'Where a person reviews and applies the proposal' },
    expires_at: { type: 'string' },
    ...shortenedOutput,
  },
  { title: { type: 'string' }, lines: { type: 'array' } },
)

const propose = { scope: 'products:propose', isReadOnly: false, output: proposalOutput } as const

export const proposalTools: Tool[] = [
  {
    ...propose,
    name: 'propose_changes',
    title: 'Propose changes to products',
    description:
      'Stores changes to products as a proposal that a person reviews in the console. Each line names a product by `sku` and contains only the fields to change. Does not change any product.',
    input: objectOf(
      {
        title,
        lines: {
          type: 'array',
          minItems: 1,
          maxItems: agentLimits.proposedLines,
          items: {
            type: 'object',
            properties: { sku: { type: 'string', minLength: 1 } },
            required: ['sku'],
            description:
              'A product as in `POST /proposals`: `sku`, and fields such as `name`, `description`, `short_description`, `price`, `status`, `attributes` or `categories`',
          },
        },
      },
      ['title', 'lines'],
    ),
    run: async (args, session) => {
      const query = queryOf({ title: titleOf(session, args['title']) })
      return describe(session, await session.call('POST', '/proposals', { query, body: args['lines'] }))
    },
  },
  {
    ...propose,
    name: 'propose_edits',
    title: 'Propose the same edit for many products',
    description:
      'Stores the same edit for all products that match a filter, as a proposal that a person reviews in the console. The service prepares its lines in the background. Does not change any product.',
    input: objectOf(
      {
        title,
        filter: {
          type: 'string',
          description:
            'The filters of `search_products` as a query string, such as `status=active&price__lte=20`',
        },
        edits: {
          type: 'array',
          minItems: 1,
          maxItems: proposalLimits.edits,
          items: {
            type: 'object',
            properties: { field: { type: 'string' }, op: { type: 'string' } },
            required: ['field', 'op'],
            description:
              'An edit as in `POST /proposals/from-filter`: `{"field": "price", "op": "multiply", "value": 1.05}`, `{"field": "name", "op": "append", "value": " (new)"}`',
          },
        },
      },
      ['title', 'filter', 'edits'],
    ),
    run: async ({ filter, edits, title: given }, session) => {
      const body = { title: titleOf(session, given), filter, edits }
      return describe(session, await session.call('POST', '/proposals/from-filter', { body }))
    },
  },
  {
    ...propose,
    name: 'get_proposal',
    title: 'Get a proposal',
    description:
      'Returns the state of a proposal, its summary, its first lines and the page where a person reviews it. Changes nothing.',
    isReadOnly: true,
    input: proposalId,
    run: async ({ id }, session) => describe(session, await session.call('GET', `/proposals/${id}`)),
  },
  {
    ...propose,
    name: 'withdraw_proposal',
    title: 'Withdraw a proposal',
    description:
      'Discards the open lines of a proposal that this token created. Applied lines stay applied. Does not change any product.',
    input: proposalId,
    run: async ({ id }, session) =>
      describe(session, await session.call('POST', `/proposals/${id}/discard`, { body: {} })),
  },
]

/** People see in the console who proposed the change. */
function titleOf({ tokenName }: Session, given: unknown): string {
  return [...`${given} (${tokenName})`].slice(0, proposalLimits.titleCharacters).join('')
}

type Proposal = {
  id: number
  state: string
  revision: number
  title: string
  summary: object
  expires_at: string
}
type Line = { score: { before: number | null; after: number | null } }

/** A proposal with its first lines. While it is prepared, its lines are not compared yet. */
export async function describe(session: Session, proposal: Proposal): Promise<Content> {
  const { id, state, revision, summary, expires_at, title: given } = proposal
  const query = queryOf({ page_size: agentLimits.shownLines })
  const lines: Line[] =
    state === 'preparing' ? [] : (await session.call('GET', `/proposals/${id}/lines`, { query })).results
  return shortened({
    ...{ id, state, revision, summary, expires_at },
    score: { ...meanScores(lines), lines: lines.length },
    review_url: session.reviewUrl(id),
    untrusted: { title: given, lines },
  })
}

function meanScores(lines: readonly Line[]): Line['score'] {
  const mean = (side: 'before' | 'after') => {
    const known = lines.flatMap(({ score: own }) => own[side] ?? [])
    return known.length === 0 ? null : Math.round(known.reduce((sum, one) => sum + one, 0) / known.length)
  }
  return { before: mean('before'), after: mean('after') }
}
