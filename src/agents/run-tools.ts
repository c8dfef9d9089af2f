import type { Server } from '../platform/http/server.ts'
import { shortenedOutput } from './page-content.ts'
import { shortened } from './shorten-content.ts'
import { type Content, objectOf, outputOf, type Session, type Tool } from './tool.ts'
import { bodyOf } from './tool-query.ts'

const count = { type: 'integer' }
const output = outputOf(
  {
    id: count,
    state: { type: 'string', description: '`waiting`: the sample is ready for review' },
    reason: { type: ['string', 'null'] },
    ...{ products: count, done: count, failed: count, declined: count, skipped: count, reused: count },
    tokens: { type: 'object' },
    cost: { type: 'object', description: 'Amounts in units of the currency' },
    proposals: { type: 'array', items: count },
    review_urls: {
      type: 'array',
      items: { type: 'string' },
      description: 'Where people review the proposals',
    },
    ...shortenedOutput,
  },
  { provider: { type: 'string' }, model: { type: 'string' } },
)

export function runTools(app: Server): Tool[] {
  const { properties, required } = bodyOf(app, '/prompts/:id/runs')
  return [
    {
      name: 'start_run',
      title: 'Run a prompt over products',
      description:
        'Sends a prompt for each product to an AI provider of the project, which costs money up to the budget. The run stops after the sample. Its responses become a proposal that a person reviews. Does not change any product.',
      scope: 'ai:run',
      isReadOnly: false,
      isOpenWorld: true,
      input: objectOf(
        {
          prompt_id: { type: 'integer', minimum: 1 },
          ...properties,
          sample: { ...properties['sample'], minimum: 1 },
        },
        ['prompt_id', ...new Set([...required, 'sample', 'budget'])],
      ),
      output,
      run: async ({ prompt_id, ...body }, session) =>
        describeRun(session, await session.call('POST', `/prompts/${prompt_id}/runs`, { body })),
    },
    {
      name: 'get_run',
      title: 'Get a run',
      description:
        'Returns the state, the progress and the cost of a run, and its proposals. Changes nothing.',
      scope: 'ai:run',
      isReadOnly: true,
      input: objectOf({ id: { type: 'integer', minimum: 1 } }, ['id']),
      output,
      run: async ({ id }, session) => describeRun(session, await session.call('GET', `/runs/${id}`)),
    },
  ]
}

/** Fields of a run, or of its preview, that the service computes. */
const own = new Set(Object.keys(output['properties'] as object))

function describeRun(
  { reviewUrl }: Session,
  run: Record<string, unknown> & { proposals?: number[] },
): Content {
  const split = Object.groupBy(Object.entries(run), ([name]) => (own.has(name) ? 'own' : 'written'))
  return shortened({
    ...Object.fromEntries(split.own ?? []),
    ...(run.proposals && { review_urls: run.proposals.map(reviewUrl) }),
    untrusted: Object.fromEntries(split.written ?? []),
  })
}
