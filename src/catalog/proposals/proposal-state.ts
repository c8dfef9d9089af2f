import { isDeepStrictEqual } from 'node:util'
import { notifyUsers, settleNotifications } from '../../access/notifications/notify-users.ts'
import type { EventType } from '../../model/events/event-types.ts'
import { type ChangeAuthor, type ChangedObject, recordEvents } from '../../model/events/record-events.sql.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { join, raw, sql } from '../../platform/database/sql.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { LineState, Outcome, ProposalState } from './proposal.schema.ts'
import { findProposals, type ProposalRow, requireProposal, showProposal } from './proposal.sql.ts'

/** Throws unless lines of the proposal can be applied or discarded. */
export function requireAppliable({ id, state, is_late }: ProposalRow): void {
  if (state === 'preparing') throw new Problem('proposal_preparing')
  const isClosed = state === 'discarded' || state === 'expired' || state === 'failed'
  const isLate = is_late && state !== 'applied' && state !== 'partly_applied'
  if (isClosed || isLate)
    throw new Problem('proposal_closed', {
      detail: `Proposal ${id} is ${isLate ? 'expired' : state}; create a new one.`,
    })
}

/** Throws if the client has read another revision. */
export function requireRevision({ id, revision }: ProposalRow, wanted: number | undefined): void {
  if (wanted === undefined || wanted === revision) return
  throw new Problem('precondition_failed', {
    detail: `Proposal ${id} is now at revision ${revision}. Read its lines again, then repeat the request.`,
  })
}

/** Throws if the caller may change only the proposals of one token, and this is not one of them. */
export function requireOwn({ id, token_id }: ProposalRow, onlyTokenId: number | null, action: string): void {
  if (onlyTokenId === null || token_id === onlyTokenId) return
  throw new Problem('insufficient_scope', {
    detail: `Another token created proposal ${id}; to ${action} it, the token needs the scope products:write.`,
  })
}

/** Locks the proposal, and `others`, until the transaction ends. */
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

/** How many lines entered or left each state. `refused` are lines that were rejected after they were open. */
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

/** Discards all lines of a locked proposal in preparation, including those that are not prepared yet. */
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

/** Sets the state of locked proposals from their lines. */
export async function updateProposalState(
  tx: Transaction,
  projectId: number,
  ...ids: number[]
): Promise<void> {
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

/** `preparing` and `applying` have no event; the state that follows them has one. */
const eventOfState: { [State in ProposalState]?: EventType } = {
  open: 'proposal.opened',
  applied: 'proposal.applied',
  partly_applied: 'proposal.partly_applied',
  discarded: 'proposal.discarded',
  expired: 'proposal.expired',
  failed: 'proposal.failed',
}

export type ProposalChange = {
  /** Null if no event has reported the proposal yet. */
  before: ProposalRow | null
  after: ProposalRow
  /** The state that the last event reported, if it is not that of `before`. */
  reported?: ProposalState
}

/** Sets the state of a locked proposal from its lines, and records what has changed since `before`. */
export async function settleProposal(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
  ...changes: ChangedProposals
): Promise<ProposalRow> {
  await updateProposalState(tx, projectId, changes[0].id)
  return reportProposal(tx, projectId, author, ...changes)
}

type Changed = Omit<ProposalChange, 'after'> & { id: number }
/** The proposal, and others that change with it, unless they are deleted by now. */
type ChangedProposals = [Changed, ...Changed[]]

/** Records what has changed, and returns the first proposal as it is now. */
export async function reportProposal(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
  ...changes: ChangedProposals
): Promise<ProposalRow> {
  const ids = changes.map(({ id }) => id)
  const now = new Map((await findProposals(tx, projectId, ids)).map((row) => [row.id, row]))
  const found = changes.flatMap(({ id, ...change }) => {
    const after = now.get(id)
    return after === undefined ? [] : { ...change, after }
  })
  await recordProposalEvents(tx, projectId, author, ...found)
  return now.get(changes[0].id) as ProposalRow
}

/** Records an event for each locked proposal that changed, by its new state, and notifies the people whom it concerns. */
export async function recordProposalEvents(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
  ...changes: ProposalChange[]
): Promise<void> {
  const byType = Map.groupBy(changes.filter(isChange), typeOf)
  const { actor, source } = author
  await recordEvents(
    tx,
    projectId,
    ...[...byType].map(([type, some]) => ({ type, actor, source, objects: some.map(objectOf) })),
  )
  const opened = byType.get('proposal.opened') ?? []
  for (const { after } of opened) await notifyReviewers(tx, projectId, after)
  const decided = [...byType].flatMap(([type, some]) => (decisions.has(type) ? some : []))
  if (decided.length === 0) return
  const ids = decided.map(({ after }) => after.id)
  await settleNotifications(tx, projectId, 'proposal_waiting', ids)
  for (const { after } of decided) await notifyProposer(tx, projectId, author, after)
}

const decisions = new Set<EventType>([
  'proposal.applied',
  'proposal.partly_applied',
  'proposal.discarded',
  'proposal.expired',
  'proposal.failed',
])

/** New proposals share one notification per manager until it is read. The member who made the proposal gets none. */
async function notifyReviewers(tx: Transaction, projectId: number, proposal: ProposalRow): Promise<void> {
  const { id, title, actor } = proposal
  await notifyUsers(tx, {
    ...{ kind: 'proposal_waiting', projectId, to: 'managers', exceptEmail: emailOf(proposal) },
    ...{ subject: '', objectId: id, title, actor },
  })
}

async function notifyProposer(
  tx: Transaction,
  projectId: number,
  { actor, source }: ChangeAuthor,
  proposal: ProposalRow,
): Promise<void> {
  const { id, title, state } = proposal
  const email = emailOf(proposal)
  if (email === undefined || (source === 'console' && actor === email)) return
  await notifyUsers(tx, {
    ...{ kind: 'proposal_decided', projectId, to: { email } },
    ...{ objectId: id, title, state, ...(source !== 'service' && { actor }) },
  })
}

/** The account of the member who made the proposal in the console; tokens and commands have none. */
function emailOf({ token_id, origin, actor }: ProposalRow): string | undefined {
  return token_id === null && origin !== 'api' && origin !== 'import' ? actor : undefined
}

function isChange({ before, after }: ProposalChange): boolean {
  return before === null || !isDeepStrictEqual(showProposal(before), showProposal(after))
}

function typeOf({ before, after, reported = before?.state }: ProposalChange): EventType {
  const isOpenAgain = after.state === 'open' && reported !== undefined
  return (reported !== after.state && !isOpenAgain && eventOfState[after.state]) || 'proposal.updated'
}

function objectOf({ before, after }: ProposalChange): ChangedObject {
  return { id: after.id, before: before && showProposal(before), after: showProposal(after) }
}
