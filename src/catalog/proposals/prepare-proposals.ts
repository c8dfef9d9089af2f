import { proposalLimits } from '../../model/limits/proposals.ts'
import { boundedMap } from '../../platform/bounded-map.ts'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import type { JobEnd, JobKey, JobKind, RunningJob } from '../../platform/jobs/job.ts'
import { walkInBatches } from '../../platform/scheduling/walk-in-batches.ts'
import type { Push } from '../batches/apply-batch.ts'
import { currentRuleset } from '../rulesets/rulesets.ts'
import { countOutcomes } from './create-proposal.ts'
import {
  claimPreparation,
  failPreparation,
  isPreparing,
  listUnprepared,
  type Preparation,
  type ProposalKey,
  preparationKind,
  resumePreparation,
  type UnpreparedLine,
  updatePrepared,
} from './preparation.sql.ts'
import { lockErasure, requireProposal } from './proposal.sql.ts'
import type { ProposedLine } from './proposal-line.sql.ts'
import { addCounts, recordProposalEvents, settleProposal } from './proposal-state.ts'

/** Prepares lines of a proposal from what was stored when it was created. */
export type PrepareLines = (
  tx: Transaction,
  preparation: Preparation,
  push: Push,
  lines: UnpreparedLine[],
) => Promise<ProposedLine[]>

const firstBatch = 50

/** How many proposals with failed batches this process remembers. */
const maxRemembered = 1_000

/** Prepares one proposal per project at a time. Waiting proposals take turns of a second. */
export function preparationJobs(
  database: Writable,
  prepareByOrigin: Record<Preparation['origin'], PrepareLines>,
): JobKind {
  const prepare: PrepareLines = (tx, preparation, ...rest) =>
    prepareByOrigin[preparation.origin](tx, preparation, ...rest)
  const maxBatches = boundedMap<string, number>(maxRemembered)
  /** Reduces the batch size to a quarter after each failed attempt, because a batch that is too large would fail again. */
  function maxBatchOf({ projectId, key, attempts }: RunningJob): number {
    const id = `${projectId}/${key}`
    const before = maxBatches.get(id) ?? proposalLimits.preparedLines
    if (attempts === 0) return before
    const next = Math.max(1, Math.floor(Math.min(before, firstBatch) / 4))
    maxBatches.set(id, next)
    return next
  }

  return {
    name: preparationKind,
    maxConcurrent: proposalLimits.preparations,
    maxPerProject: proposalLimits.preparationsOfProject,
    reserved: 0,
    maxAttempts: proposalLimits.preparationAttempts,
    maxPauseSeconds: proposalLimits.preparationPauseSeconds,
    async run(job) {
      const turn = {
        signal: job.signal,
        endsAt: performance.now() + proposalLimits.preparationTurnMilliseconds,
      }
      const state = await prepareProposal(database, prepare, proposalOf(job), turn, maxBatchOf(job))
      if (state === 'prepared') {
        maxBatches.delete(`${job.projectId}/${job.key}`)
        return 'done'
      }
      return { againInMilliseconds: state === 'busy' ? proposalLimits.preparationBusyMilliseconds : 0 }
    },
  }
}

/**
 * Prepares lines of a proposal until all are done or the turn ends. Each batch is a transaction that locks the proposal, so that
 * another process can continue if this one is killed.
 */
export async function prepareProposal(
  database: Writable,
  prepare: PrepareLines,
  key: ProposalKey,
  { signal, endsAt }: { signal: AbortSignal; endsAt: number },
  most: number = proposalLimits.preparedLines,
): Promise<'prepared' | 'busy' | 'unfinished'> {
  const walk = {
    ...{ first: firstBatch, most, batchMilliseconds: proposalLimits.preparedMilliseconds, signal },
    turnMilliseconds: endsAt - performance.now(),
    // No request waits for it: after each batch, it leaves the processor and the database to others for half as long.
    rest: 0.5,
  }
  const state = await walkInBatches(walk, (size) =>
    database.transaction(async (tx) => {
      const claimed = await claimPreparation(tx, key)
      if (claimed === undefined) return (await isPreparing(tx, key)) ? 'busy' : 'prepared'
      return (await prepareBatch(tx, claimed, prepare, size)) ? 'prepared' : undefined
    }),
  )
  return state ?? 'unfinished'
}

/** Returns whether the proposal is prepared. */
async function prepareBatch(
  tx: Transaction,
  preparation: Preparation,
  prepare: PrepareLines,
  limit: number,
): Promise<boolean> {
  const { projectId, id, actor, prepared, total } = preparation
  await lockErasure(tx, projectId, false)
  const unprepared = await listUnprepared(tx, projectId, id, prepared, limit)
  const ruleset = await currentRuleset(tx, projectId)
  const push = { projectId, author: { actor, source: 'api' }, ruleset, mode: 'update' } as const
  const lines = await prepare(tx, preparation, push, unprepared)
  if (lines.length > 0) {
    await updatePrepared(tx, projectId, id, lines)
    await addCounts(tx, projectId, id, countOutcomes(lines))
  }
  if (prepared + lines.length < total && lines.length > 0) return false
  await settleProposal(tx, projectId, { actor, source: 'service' }, { id, before: null })
  return true
}

/** A proposal that cannot be prepared fails and stores the reason. */
export const preparationEnd: JobEnd = {
  async giveUp(tx, job, reason) {
    const proposal = proposalOf(job)
    if (!(await failPreparation(tx, proposal, reason))) return
    const after = await requireProposal(tx, proposal.projectId, proposal.id)
    const author = { actor: after.actor, source: 'service' } as const
    await recordProposalEvents(tx, proposal.projectId, author, { before: null, after })
  },
  revive: (tx, job) => resumePreparation(tx, proposalOf(job)),
}

function proposalOf({ projectId, key }: JobKey): ProposalKey {
  return { projectId, id: Number(key) }
}
