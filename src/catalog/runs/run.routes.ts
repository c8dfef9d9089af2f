import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { authorOf } from '../../access/tokens/caller.ts'
import { abortQueries } from '../../platform/database/abort-queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { allowNoBody } from '../../platform/http/body/allow-no-body.ts'
import { ref } from '../../platform/http/openapi.ts'
import { repeatProblems, respondOnce } from '../../platform/http/request/idempotency.ts'
import { disconnectSignal } from '../../platform/http/response/client-disconnect.ts'
import type { ReadLargePage } from '../../platform/http/response/large-pages.ts'
import { pageEnvelope, readPage } from '../../platform/http/response/page-envelope.ts'
import { changeRun } from './change-run.ts'
import {
  RaiseSchema,
  RunCallPageSchema,
  RunCallQuerySchema,
  RunId,
  RunPageSchema,
  RunQuerySchema,
  RunSchema,
} from './run.schema.ts'
import { listRuns, requireRun, showRun } from './run.sql.ts'
import { listCalls } from './run-call.sql.ts'

const tags = ['Runs']

const actions = [
  {
    action: 'continue',
    operationId: 'continueRun',
    summary: 'Continue a run',
    description:
      'Starts the calls after the sample, or resumes a run that is paused or stopped at its budget.',
  },
  {
    action: 'pause',
    operationId: 'pauseRun',
    summary: 'Pause a run',
    description:
      'Calls in progress end first. Then their responses become a proposal, and the state becomes `paused`. `reason` becomes `by_user` immediately.',
  },
  {
    action: 'cancel',
    operationId: 'cancelRun',
    summary: 'Cancel a run',
    description: 'Like pause, but the run cannot continue. Its proposals stay.',
  },
] as const

export function runRoutes(database: Database, readLargePage: ReadLargePage): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/runs',
      {
        config: { scope: 'ai:run', problems: ['invalid_page'] },
        schema: {
          tags,
          operationId: 'listRuns',
          summary: 'List runs',
          description: 'Returns a page of the runs of the project, newest first.',
          querystring: RunQuerySchema,
          response: { 200: ref(RunPageSchema) },
        },
      },
      async (request) => {
        const { caller, query } = request
        const page = readPage(query)
        return pageEnvelope(request, page, await listRuns(database, caller.project_id, query, page))
      },
    )

    app.get(
      '/runs/:id',
      {
        config: { scope: 'ai:run', problems: ['not_found'] },
        schema: {
          tags,
          operationId: 'getRun',
          summary: 'Get a run and its progress',
          description:
            'Returns the state of a run, the number of products in each state, and what it has spent.',
          params: RunId,
          response: { 200: ref(RunSchema) },
        },
      },
      async ({ caller, params }) =>
        showRun(await requireRun(database, { projectId: caller.project_id, id: params.id })),
    )

    app.get(
      '/runs/:id/calls',
      {
        config: { scope: 'ai:run', problems: ['not_found', 'invalid_page', 'page_too_large'] },
        schema: {
          tags,
          operationId: 'listRunCalls',
          summary: 'List the calls of a run',
          description:
            'Returns what the model wrote for each product, what the call cost, and why a call failed.',
          params: RunId,
          querystring: RunCallQuerySchema,
          response: { 200: ref(RunCallPageSchema) },
        },
      },
      async (request, reply) => {
        const { caller, params, query } = request
        const key = { projectId: caller.project_id, id: params.id }
        await requireRun(database, key)
        const page = readPage(query)
        const signal = disconnectSignal(reply)
        const reader = abortQueries(database, signal)
        const read = (maxBytes: number) => listCalls(reader, key, query, page, maxBytes)
        return pageEnvelope(request, page, await readLargePage(caller.project_id, page, read, signal))
      },
    )

    for (const { action, ...described } of actions)
      app.post(
        `/runs/:id/${action}`,
        {
          preValidation: allowNoBody,
          config: { scope: 'ai:run', problems: ['not_found', 'run_state', ...repeatProblems] },
          schema: { tags, ...described, params: RunId, response: { 200: ref(RunSchema) } },
        },
        async (request, reply) => {
          const { caller, params } = request as typeof request & { params: { id: number } }
          const changing = { projectId: caller.project_id, id: params.id, author: authorOf(caller) }
          return respondOnce(database, request, reply, async (writable) => ({
            status: 200,
            body: showRun(await changeRun(writable, changing, { action })),
          }))
        },
      )

    app.post(
      '/runs/:id/raise',
      {
        config: { scope: 'ai:run', problems: ['not_found', 'run_state', ...repeatProblems] },
        schema: {
          tags,
          operationId: 'raiseRunBudget',
          summary: 'Raise the budget of a run',
          description: '`amount` is the new total. A run that stopped at its own budget continues.',
          params: RunId,
          body: RaiseSchema,
          response: { 200: ref(RunSchema) },
        },
      },
      async (request, reply) => {
        const { caller, params, body } = request
        const changing = { projectId: caller.project_id, id: params.id, author: authorOf(caller) }
        return respondOnce(database, request, reply, async (writable) => ({
          status: 200,
          body: showRun(await changeRun(writable, changing, { action: 'raise', amount: body.amount })),
        }))
      },
    )
  }
}
