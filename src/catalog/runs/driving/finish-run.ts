import { runLimits } from '../../../model/limits/runs.ts'
import { bulkLimits, type Transaction } from '../../../platform/database/database.ts'
import { Problem } from '../../../platform/http/problems.ts'
import type { JobResult } from '../../../platform/jobs/job.ts'
import { repeatedTexts, textKeys } from '../../model-requests/flag-values.ts'
import { addModelOutcomes, type ModelKey } from '../../prompts/model-outcomes.sql.ts'
import { findPromptName } from '../../prompts/prompt.sql.ts'
import { type ModelLine, proposeModelLines } from '../../proposals/propose-model-lines.ts'
import { currentRuleset } from '../../rulesets/rulesets.ts'
import { lockRun, type RunKey, type RunRow, requireRun, setReason, updateRunState } from '../run.sql.ts'
import { countRemaining } from '../run-call.sql.ts'
import { recordStop } from '../run-events.ts'
import { isActive, stopOf } from '../run-states.ts'
import { listUnproposed, markProposed, type Response, setCounted } from './responses.sql.ts'
import type { DriveTools } from './run-context.ts'

/** Proposes the responses of a run and changes its state, atomically. If there is no room for the proposal, the run tries again. */
export async function finishRun({ database }: DriveTools, key: RunKey): Promise<JobResult> {
  try {
    const isStopped = await database.transaction((tx) => finish(tx, key), {
      ...bulkLimits,
      project: key.projectId,
    })
    return isStopped ? 'done' : { againInMilliseconds: 0 }
  } catch (error) {
    if (!(error instanceof Problem) || error.problemCode !== 'too_many_proposals') throw error
    await setReason(database.jobs, key, 'too_many_proposals')
    return { againInMilliseconds: runLimits.proposalPauseMilliseconds }
  }
}

/** Returns false if the run has more to do. */
async function finish(tx: Transaction, key: RunKey): Promise<boolean> {
  const run = await lockRun(tx, key)
  if (run === undefined || !isActive(run.state)) return true
  const { state, sample, stop_state, stop_reason } = run
  const stop = stop_state === null ? null : { state: stop_state, reason: stop_reason }
  const next = stopOf({ state, sample, stop }, await countRemaining(tx, key.projectId, run))
  if (next === undefined) return false
  const proposalId = await proposeResponses(tx, key, run)
  await updateRunState(tx, key, next, proposalId)
  await countCost(tx, key, run)
  const author = { actor: run.actor, source: 'service' } as const
  await recordStop(tx, key.projectId, author, { before: run, after: await requireRun(tx, key) })
  return true
}

const batchLines = 100

/** Returns the ID of the proposal; undefined if there is no response. */
async function proposeResponses(tx: Transaction, key: RunKey, run: RunRow): Promise<number | undefined> {
  const [first] = await listUnproposed(tx, key, 0, 1)
  if (first === undefined) return undefined
  const { projectId } = key
  const ruleset = await currentRuleset(tx, projectId)
  const author = { actor: run.actor, source: run.source }
  const name = await findPromptName(tx, projectId, run.prompt_id)
  const proposal = await proposeModelLines(
    tx,
    {
      push: { projectId, author, ruleset, mode: 'update' },
      title: `${name.slice(0, 150)} ${run.version_number}`,
      tokenId: run.token_id,
      run: { id: run.id, writtenBy: writtenBy(run) },
    },
    readLines(tx, key),
  )
  await markProposed(tx, key, proposal.id)
  return proposal.id
}

function writtenBy({ prompt_id, version_number, model, currency }: RunRow): ModelKey {
  return { prompt_id, version_number, model, currency }
}

/** Reads the responses twice in batches, because a line is flagged if another one has the same text. */
async function* readLines(tx: Transaction, key: RunKey): AsyncGenerator<ModelLine[]> {
  const keys: string[][] = []
  for await (const batch of readBatches(tx, key))
    keys.push(...batch.map(({ response }) => textKeys(response)))
  const repeated = repeatedTexts(keys)
  let line = 0
  for await (const batch of readBatches(tx, key))
    yield batch.map((one) => {
      line += 1
      const isRepeated = (keys[line - 1] ?? []).some((text) => repeated.has(text))
      return asLine(one, line, isRepeated)
    })
}

async function* readBatches(tx: Transaction, key: RunKey): AsyncGenerator<Response[]> {
  for (let after = 0; ; ) {
    const batch = await listUnproposed(tx, key, after, batchLines)
    if (batch.length === 0) return
    yield batch
    after = batch.at(-1)?.place ?? after
  }
}

/** A field that the model declined stays as it is. */
function asLine(
  { product_id, response, base, flags }: Response,
  line: number,
  isRepeated: boolean,
): ModelLine {
  const values = Object.fromEntries(Object.entries(response).filter(([, value]) => value !== null))
  return {
    ...{ line, product_id, sku: base.sku, values },
    base: { version: base.version, values: base.values },
    flags: [...(flags ?? []), ...(isRepeated ? (['same_text'] as const) : [])],
  }
}

async function countCost(tx: Transaction, key: RunKey, run: RunRow): Promise<void> {
  const cost = run.spent - run.counted
  if (cost === 0) return
  await setCounted(tx, key)
  await addModelOutcomes(tx, key.projectId, [{ ...writtenBy(run), cost }])
}
