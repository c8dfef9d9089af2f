import { proposalLimits } from '../../model/limits/proposals.ts'
import { advisoryLocks, lockInProject } from '../../platform/database/advisory-locks.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { join, raw, type Sql, sql } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import { notFound, Problem } from '../../platform/http/problems.ts'
import { requestJob } from '../../platform/jobs/job.sql.ts'
import { preparationJob } from './preparation.sql.ts'
import {
  type LineState,
  lineStates,
  type Origin,
  type Outcome,
  outcomes,
  type Proposal,
  type ProposalState,
} from './proposal.schema.ts'

/** A proposal, and whose it is. */
export type ProposalRow = Proposal & { token_id: number | null; is_late: boolean }

/** Reverts of reverts that are followed: people undo and redo a few times, not without end. */
const longestChain = 50

/**
 * What took back the changes of `proposal`, as JSON; null while they stand. A revert takes them back, a revert of that
 * revert makes them again, and so on: of all that have written something, the one that was applied last decides. A
 * subquery, so that a list computes it after its limit.
 */
const revertedBy = sql`(
  with recursive later as (
    select revert.id, revert.state, revert.applied_at, 1 as depth from proposals as revert
    where revert.project_id = proposal.project_id and revert.reverts_id = proposal.id and revert.applied > 0
    union all
    select revert.id, revert.state, revert.applied_at, later.depth + 1
    from later join proposals as revert on revert.project_id = proposal.project_id and revert.reverts_id = later.id
    where revert.applied > 0 and later.depth < ${longestChain}
  ), last as (
    select depth % 2 = 1 as is_undo, state = 'applied' as is_whole from later order by applied_at desc, id desc limit 1
  )
  select json_build_object('id', (select max(id) from later where depth = 1), 'fully', is_undo and is_whole)
  from last where is_undo or not is_whole
)`

const outcomeColumns = raw(outcomes.map((name) => `'${name}', ${name}`).join(', '))
/** What was rejected at first and what was refused later are one state. */
const stateColumns = raw(
  lineStates.map((name) => `'${name}', ${name === 'rejected' ? 'rejected + refused' : name}`).join(', '),
)
const shown = sql`
  id, title, state, origin, actor,
  json_build_object('total', lines, 'prepared', prepared,
    'outcomes', json_build_object(${outcomeColumns}), 'states', json_build_object(${stateColumns})) as summary,
  reverts_id as reverts, ${revertedBy} as reverted_by, created_at, expires_at, applied_at, reason`

export const rowColumns = sql`${shown}, token_id, expires_at <= clock_timestamp() as is_late`

/**
 * Held until the transaction ends: while products are read to be proposed on, none is erased, and what is erased finds all lines
 * that tell of it.
 */
export function lockErasure(tx: Transaction, projectId: number, alone: boolean): Promise<void> {
  return lockInProject(tx, advisoryLocks.erasure, projectId, alone ? 'alone' : 'shared')
}

export type NewProposal = {
  title: string
  origin: Origin
  state: 'preparing' | 'open'
  actor: string
  tokenId: number | null
  edits?: object
  revertsId?: number
}

export async function insertProposal(
  tx: Transaction,
  projectId: number,
  { title, origin, state, actor, tokenId, edits, revertsId }: NewProposal,
): Promise<number> {
  const [row] = await tx.query(sql<{ id: number }>`
    insert into proposals (project_id, title, origin, state, actor, token_id, edits, reverts_id, expires_at)
    values (${projectId}, ${title}, ${origin}, ${state}, ${actor}, ${tokenId},
            ${edits === undefined ? null : JSON.stringify(edits)}::jsonb, ${revertsId ?? null},
            clock_timestamp() + ${proposalLimits.openDays} * interval '1 day')
    returning id`)
  const { id } = row as { id: number }
  if (state === 'preparing') await requestJob(tx, preparationJob({ projectId, id }))
  return id
}

export async function countOpenProposals(database: Queryable, projectId: number): Promise<number> {
  const [row] = await database.query(sql<{ count: number }>`
    select count(*) as count from proposals
    where project_id = ${projectId} and state in ('preparing', 'open', 'applying')`)
  return row?.count ?? 0
}

export async function requireProposal(
  database: Queryable,
  projectId: number,
  id: number,
): Promise<ProposalRow> {
  const [row] = await findProposals(database, projectId, [id])
  if (row === undefined) throw notFound('proposal', id)
  return row
}

/** Of a proposal that somebody wants to apply or take lines out of. */
export function requireAppliable({ id, state, is_late }: ProposalRow): void {
  if (state === 'preparing') throw new Problem('proposal_preparing')
  const isClosed = state === 'discarded' || state === 'expired' || state === 'failed'
  const isLate = is_late && state !== 'applied' && state !== 'partly_applied'
  if (isClosed || isLate)
    throw new Problem('proposal_closed', {
      detail: `Proposal ${id} is ${isLate ? 'expired' : state}; make a new one.`,
    })
}

/** By their ids. */
export async function findProposals(
  database: Queryable,
  projectId: number,
  ids: readonly number[],
): Promise<ProposalRow[]> {
  if (ids.length === 0) return []
  return database.query(sql<ProposalRow>`
    select ${rowColumns} from proposals as proposal
    where project_id = ${projectId} and id = any(${ids}::bigint[]) order by id`)
}

/** Held: nobody else changes it, nor those that `others` names, until the transaction ends. */
export async function lockProposal(
  tx: Transaction,
  projectId: number,
  id: number,
  others: readonly number[] = [],
): Promise<ProposalRow> {
  await tx.query(sql`
    select from proposals where project_id = ${projectId} and id = any(${[...others, id]}::bigint[])
    order by id for no key update`)
  return requireProposal(tx, projectId, id)
}

/** The proposal that a revert takes back, what that one takes back where it is a revert too, and so on. */
export async function listReverted(
  database: Queryable,
  projectId: number,
  reverts: number | null,
): Promise<number[]> {
  if (reverts === null) return []
  const rows = await database.query(sql<{ id: number }>`
    with recursive earlier as (
      select id, reverts_id, 1 as depth from proposals where project_id = ${projectId} and id = ${reverts}
      union all
      select proposal.id, proposal.reverts_id, earlier.depth + 1
      from earlier join proposals as proposal on proposal.project_id = ${projectId} and proposal.id = earlier.reverts_id
      where earlier.depth < ${longestChain}
    )
    select id from earlier`)
  return rows.map(({ id }) => id)
}

export function listProposals(
  database: Queryable,
  projectId: number,
  { state, origin }: { state?: ProposalState; origin?: Origin },
  orderBy: Sql,
  page: PageRequest,
): Promise<Page<Proposal>> {
  const where = [
    sql`proposal.project_id = ${projectId}`,
    ...(state === undefined ? [] : [sql`proposal.state = ${state}`]),
    ...(origin === undefined ? [] : [sql`proposal.origin = ${origin}`]),
  ]
  return selectPage(database, {
    columns: shown,
    from: sql`proposals as proposal`,
    where: join(where, ' and '),
    orderBy,
    page,
  })
}

/** How many lines came into a state, or left it. `refused` are those that were open and are rejected. */
export type StateCounts = Partial<Record<Exclude<LineState, 'rejected'> | 'refused', number>>
export type OutcomeCounts = Partial<Record<Outcome, number>>

export async function addCounts(
  tx: Transaction,
  projectId: number,
  id: number,
  counts: StateCounts & OutcomeCounts & { prepared?: number; lines?: number },
): Promise<void> {
  const changed = Object.entries(counts).filter(([, count]) => count !== 0)
  if (changed.length === 0) return
  const assignments = changed.map(([name, count]) => sql`${raw(name)} = ${raw(name)} + ${count}`)
  await tx.query(sql`
    update proposals set ${join(assignments)} where project_id = ${projectId} and id = ${id}`)
}

/** Discards all lines of a proposal that is being prepared, also those that are not made yet; it is locked. */
export async function discardPreparing(tx: Transaction, projectId: number, id: number): Promise<void> {
  await tx.query(sql`
    update proposal_lines set state = 'discarded'
    where project_id = ${projectId} and proposal_id = ${id} and state in ('open', 'conflict')`)
  await tx.query(sql`
    update proposals set state = 'discarded', closed_at = clock_timestamp(), open = 0, conflict = 0,
      discarded = lines - rejected - refused
    where project_id = ${projectId} and id = ${id}`)
}

export async function markApplying(database: Transaction, projectId: number, id: number): Promise<void> {
  await database.query(sql`
    update proposals set state = 'applying'
    where project_id = ${projectId} and id = ${id} and state in ('open', 'partly_applied')`)
}

/** The state that follows from the lines of proposals that are locked. */
export async function settleProposal(tx: Transaction, projectId: number, ...ids: number[]): Promise<void> {
  await tx.query(sql`
    update proposals as proposal set state = settled.state,
      applied_at = case when applied > 0 then coalesce(applied_at, clock_timestamp()) end,
      closed_at = case when settled.state in ('discarded', 'failed') then clock_timestamp() end
    from (
      select id, case
        when open > 0 then 'open'
        when rejected = lines then 'failed'
        when applied = lines - rejected then 'applied'
        when discarded = lines - rejected then 'discarded'
        else 'partly_applied' end as state
      from proposals where project_id = ${projectId} and id = any(${ids}::bigint[])
    ) as settled
    where proposal.project_id = ${projectId} and proposal.id = settled.id`)
}
