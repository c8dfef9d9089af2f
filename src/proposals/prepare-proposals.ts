import type { Transaction, Writable } from '../database/database.ts'
import { DatabaseFailure } from '../database/failures.ts'
import type { Push } from '../products/push/apply-lines.ts'
import { currentRuleset } from '../quality/rulesets.ts'
import { countsOf } from './create-proposal.ts'
import {
  claimPreparation,
  failPreparation,
  listUnprepared,
  type Preparation,
  type ProposalKey,
  type UnpreparedLine,
  updatePrepared,
} from './preparation.sql.ts'
import { countLines, lockErasure, requireProposal, settleProposal } from './proposal.sql.ts'
import type { ProposedLine } from './proposal-line.sql.ts'
import { tellProposals } from './tell-proposal.ts'

/** Makes lines of a proposal, from what was kept of them when it was asked for. */
export type MakeLines = (
  tx: Transaction,
  preparation: Preparation,
  push: Push,
  lines: UnpreparedLine[],
) => Promise<ProposedLine[]>

export type LineMakers = Record<Preparation['origin'], MakeLines>

/**
 * Makes the lines of proposals that are being prepared. Each batch is a transaction that holds its proposal, so that several
 * services take turns, and one that is killed leaves the rest to the others. Whoever waits for one proposal makes only that one.
 */
export async function prepareProposals(
  database: Writable,
  makers: LineMakers,
  signal: AbortSignal,
  only?: ProposalKey,
): Promise<void> {
  let claimed: Preparation | undefined
  const prepare = async (tx: Transaction) => {
    claimed = await claimPreparation(tx, only)
    if (claimed !== undefined) await prepareBatch(tx, claimed, makers)
    return claimed !== undefined
  }
  while (!signal.aborted) {
    try {
      if (!(await database.transaction(prepare))) return
    } catch (error) {
      if (claimed === undefined || error instanceof DatabaseFailure) throw error
      // Whatever it is, it would come again, and others wait for their turn.
      const failed = claimed
      await database.transaction((tx) => fail(tx, failed))
      throw error
    }
  }
}

async function prepareBatch(tx: Transaction, preparation: Preparation, makers: LineMakers): Promise<void> {
  const { projectId, id, origin, actor, prepared, total } = preparation
  await lockErasure(tx, projectId, false)
  const unprepared = await listUnprepared(tx, projectId, id, prepared)
  const ruleset = await currentRuleset(tx, projectId)
  const push = { projectId, author: { actor, source: 'api' }, ruleset, mode: 'update' } as const
  const lines = await makers[origin](tx, preparation, push, unprepared)
  if (lines.length > 0) {
    await updatePrepared(tx, projectId, id, lines)
    await countLines(tx, projectId, id, countsOf(lines))
  }
  if (prepared + lines.length < total && lines.length > 0) return
  await settleProposal(tx, projectId, id)
  await tellPrepared(tx, preparation)
}

async function fail(tx: Transaction, preparation: Preparation): Promise<void> {
  if (await failPreparation(tx, preparation)) await tellPrepared(tx, preparation)
}

/** What somebody has asked for, the service has done. */
async function tellPrepared(tx: Transaction, { projectId, id, actor }: Preparation): Promise<void> {
  const after = await requireProposal(tx, projectId, id)
  await tellProposals(tx, projectId, { actor, source: 'service' }, { before: null, after })
}
