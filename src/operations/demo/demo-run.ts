import { addModelOutcomes, type ModelKey } from '../../catalog/prompts/model-outcomes.sql.ts'
import { requirePrompt } from '../../catalog/prompts/prompt.sql.ts'
import { requirePromptVersion } from '../../catalog/prompts/prompt-version.sql.ts'
import { applyProposal } from '../../catalog/proposals/apply-proposal.ts'
import { discardProposal } from '../../catalog/proposals/discard-proposal.ts'
import { proposeModelLines } from '../../catalog/proposals/propose-model-lines.ts'
import { createRun } from '../../catalog/runs/create-run.ts'
import { type RunRow, requireRun, updateRunState } from '../../catalog/runs/run.sql.ts'
import { recordStop } from '../../catalog/runs/run-events.ts'
import { runKind } from '../../catalog/runs/run-job.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { deleteJob } from '../../platform/jobs/job.sql.ts'
import { authors, type DemoRun } from './demo-data.ts'
import { moveChanges, moveProposal } from './demo-dates.ts'
import type { Shop } from './demo-history.ts'
import {
  budget,
  endCalls,
  linesOf,
  type ProposedLine,
  sampleModel,
  sampleProvider,
} from './demo-responses.ts'
import { editLines, moveRun, storeCalls } from './demo-run.sql.ts'

const { member } = authors
const currency = sampleProvider.currency

/** Adds a finished run with stored responses. No provider exists, and nothing calls one. */
export async function addRun(
  tx: Transaction,
  shop: Shop,
  ids: ReadonlyMap<string, number>,
  demoRun: DemoRun,
): Promise<void> {
  const { projectId, ruleset, promptIds } = shop
  const promptId = promptIds.get(demoRun.prompt) as number
  const { prompt_text: text } = await requirePromptVersion(tx, projectId, promptId, demoRun.version_number)
  const template = { prompt_id: promptId, version_number: demoRun.version_number, text }
  const plan = {
    ...{ project: { project_id: projectId, currency, ruleset: ruleset.version }, ruleset, template },
    ...{
      given: new Map<string, string>(),
      chosenView: undefined,
      provider: sampleProvider,
      model: sampleModel,
      budget,
    },
    chosen: { products: demoRun.lines.map(({ sku }) => ids.get(sku) as number) },
  }
  const request = {
    write: ['short_description'],
    variables: {},
    provider: sampleProvider.name,
    model: sampleModel.name,
  }
  const run = await createRun(tx, plan, request, { ...member, tokenId: null })
  const key = { projectId, id: run.id }
  // The run is complete, so there is no job for it.
  await deleteJob(tx, { projectId, kind: runKind, key: String(run.id) })
  const calls = await endCalls(tx, projectId, template, plan.chosen.products, demoRun.lines)
  await storeCalls(tx, key, calls)
  const lines = linesOf(calls, demoRun.lines)
  const proposalId = await propose(tx, shop, run, lines)
  await decide(tx, shop, proposalId, lines, demoRun)
  await moveRun(tx, key, proposalId)
}

/** Finishes the run as its job would. Returns the ID of its proposal. */
async function propose(tx: Transaction, shop: Shop, run: RunRow, lines: ProposedLine[]): Promise<number> {
  const { projectId, ruleset } = shop
  const { id, prompt_id, version_number, model } = run
  const writtenBy: ModelKey = { prompt_id, version_number, model, currency }
  const { name } = await requirePrompt(tx, projectId, prompt_id)
  const push = { projectId, author: member, ruleset, mode: 'update' } as const
  const title = `${name} ${version_number}`
  const proposing = { push, title, tokenId: null, run: { id, writtenBy } }
  const proposal = await proposeModelLines(tx, proposing, [lines.map(({ line }) => line)])
  const key = { projectId, id }
  await updateRunState(tx, key, { state: 'done', reason: null }, proposal.id)
  const after = await requireRun(tx, key)
  await addModelOutcomes(tx, projectId, [{ ...writtenBy, cost: after.spent }])
  await recordStop(tx, projectId, { actor: member.actor, source: 'service' }, { before: run, after })
  return proposal.id
}

/** A user edits, applies and discards some of the lines. */
async function decide(
  tx: Transaction,
  { projectId, ruleset }: Shop,
  proposalId: number,
  lines: ProposedLine[],
  { days_ago, decided_days_ago }: DemoRun,
): Promise<void> {
  const edits = lines.flatMap(({ line: { line }, edited }) =>
    edited === undefined ? [] : { line, text: edited },
  )
  await editLines(tx, projectId, proposalId, edits)
  const accepted = lines.filter(({ decision }) => decision === 'accepted')
  const author = { ...member, proposal: proposalId }
  await applyProposal(tx, {
    push: { projectId, author, ruleset, mode: 'upsert' },
    ...{ proposalId, reviewer: member.actor, overwrite: false, revision: undefined },
    numbers: accepted.map(({ line: { line } }) => line),
  })
  const changed = accepted.map(({ line: { sku } }) => ({ sku, days_ago: decided_days_ago }))
  await moveChanges(tx, projectId, changed)
  const rejected = lines.filter(({ decision }) => decision === 'rejected')
  const numbers = rejected.map(({ line: { line } }) => line)
  await discardProposal(tx, { projectId, author: member, id: proposalId, numbers, onlyTokenId: null })
  await moveProposal(tx, projectId, proposalId, { proposed: days_ago, decided: decided_days_ago })
}
