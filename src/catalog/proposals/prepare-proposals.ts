import { proposalLimits } from '../../model/limits/proposals.ts'
import { boundedMap } from '../../platform/bounded-map.ts'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import type { JobEnd, JobKey, JobKind, RunningJob } from '../../platform/jobs/job.ts'
import { walkInBatches } from '../../platform/scheduling/walk-in-batches.ts'
import type { Push } from '../batches/applied-line.ts'
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
import { addCounts, lockErasure, requireProposal, settleProposal } from './proposal.sql.ts'
import { recordProposalEvents } from './proposal-events.ts'
import type { ProposedLine } from './proposal-line.sql.ts'

/** Makes lines of a proposal, from what was kept of them when it was asked for. */
export type MakeLines = (
  tx: Transaction,
  preparation: Preparation,
  push: Push,
  lines: UnpreparedLine[],
) => Promise<ProposedLine[]>

const firstBatch = 50

/** Proposals whose batches failed, in this process. */
const mostRemembered = 1_000

/** One proposal of a project at a time; proposals that wait take turns of a second. */
export function preparationJobs(
  database: Writable,
  makers: Record<Preparation['origin'], MakeLines>,
): JobKind {
  const make: MakeLines = (tx, preparation, ...rest) => makers[preparation.origin](tx, preparation, ...rest)
  const largest = boundedMap<string, number>(mostRemembered)
  /** After each failed attempt a quarter, until the proposal is prepared: a batch that is too large would only fail again. */
  function largestOf({ projectId, key, attempts }: RunningJob): number {
    const id = `${projectId}/${key}`
    const before = largest.get(id) ?? proposalLimits.preparedLines
    if (attempts === 0) return before
    const next = Math.max(1, Math.floor(Math.min(before, firstBatch) / 4))
    largest.set(id, next)
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
      const state = await prepareProposal(database, make, proposalOf(job), turn, largestOf(job))
      if (state === 'prepared') {
        largest.delete(`${job.projectId}/${job.key}`)
        return 'done'
      }
      return { againInMilliseconds: state === 'busy' ? proposalLimits.preparationBusyMilliseconds : 0 }
    },
  }
}

/**
 * Makes the lines of a proposal until it is prepared or the turn is over. Each batch is a transaction that holds the proposal, so that
 * a process that is killed leaves the rest to others.
 */
export async function prepareProposal(
  database: Writable,
  make: MakeLines,
  key: ProposalKey,
  { signal, endsAt }: { signal: AbortSignal; endsAt: number },
  most: number = proposalLimits.preparedLines,
): Promise<'prepared' | 'busy' | 'unfinished'> {
  const walk = {
    ...{ first: firstBatch, most, batchMilliseconds: proposalLimits.preparedMilliseconds, signal },
    turnMilliseconds: endsAt - performance.now(),
    // No request waits for it: others get the processor and the database for half as long as it had them.
    rest: 0.5,
  }
  const state = await walkInBatches(walk, (size) =>
    database.transaction(async (tx) => {
      const claimed = await claimPreparation(tx, key)
      if (claimed === undefined) return (await isPreparing(tx, key)) ? 'busy' : 'prepared'
      return (await prepareBatch(tx, claimed, make, size)) ? 'prepared' : undefined
    }),
  )
  return state ?? 'unfinished'
}

/** Returns whether the proposal is prepared. */
async function prepareBatch(
  tx: Transaction,
  preparation: Preparation,
  make: MakeLines,
  most: number,
): Promise<boolean> {
  const { projectId, id, actor, prepared, total } = preparation
  await lockErasure(tx, projectId, false)
  const unprepared = await listUnprepared(tx, projectId, id, prepared, most)
  const ruleset = await currentRuleset(tx, projectId)
  const push = { projectId, author: { actor, source: 'api' }, ruleset, mode: 'update' } as const
  const lines = await make(tx, preparation, push, unprepared)
  if (lines.length > 0) {
    await updatePrepared(tx, projectId, id, lines)
    await addCounts(tx, projectId, id, countOutcomes(lines))
  }
  if (prepared + lines.length < total && lines.length > 0) return false
  await settleProposal(tx, projectId, id)
  const after = await requireProposal(tx, projectId, id)
  await recordProposalEvents(tx, projectId, { actor, source: 'service' }, { before: null, after })
  return true
}

/** A proposal that cannot be prepared fails, and says why. */
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
