import type { QueryClient } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { showToast } from '../parts/toast.tsx'
import type { Proposal } from '../wire.ts'
import { applyProposal, revertProposal } from './changes.ts'
import { isMoving, proposalQuery } from './queries.ts'
import type { LineState } from './states.ts'
import { strings } from './strings.ts'

export type Undo = (proposal: Pick<Proposal, 'id' | 'summary'>) => Promise<void>
type Open = (id: number, state?: LineState) => unknown

/** Undoes the changes of a proposal. Its notification outlives the screen. */
export function useUndo(project: number): Undo {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const open: Open = (proposalId, state) =>
    navigate({
      to: '/projects/$projectId/proposals/$proposalId',
      params: { projectId: project, proposalId },
      search: state === undefined ? {} : { state },
    })
  return (proposal) => undo(queries, project, proposal, open)
}

async function undo(queries: QueryClient, project: number, { id, summary }: Parameters<Undo>[0], open: Open) {
  const report = showToast({
    message: strings.undo.reverting,
    progress: { done: 0, total: summary.states.applied },
  })
  const progress = (message: string) => (done: number, total: number) =>
    report({ message, progress: { done, total } })
  try {
    const inverse = await prepareRevert(queries, project, id, progress(strings.undo.preparing))
    // With conflicts, the user reviews the revert proposal before applying it.
    if (summary.states.conflict > 0 || inverse.state !== 'open') {
      report({ message: strings.undo.review })
      await open(inverse.id)
      return
    }
    const applied = applyProposal(project, inverse.id, { revision: inverse.revision })
    await watchUntil(queries, project, inverse.id, applied, progress(strings.undo.reverting))
    report(resultOf(await applied, open))
  } catch (error) {
    report({ message: strings.undo.failed((error as Error).message), tone: 'red' })
  } finally {
    void queries.invalidateQueries({ queryKey: ['project', project] })
  }
}

function resultOf({ id, summary: { total, states } }: Proposal, open: Open): Parameters<typeof showToast>[0] {
  if (states.applied === total) return { message: strings.undo.done(total) }

  const state = states.conflict > 0 ? 'conflict' : 'rejected'

  return {
    message: strings.undo.partly(states.applied, total, states.conflict > 0),
    tone: 'yellow',
    action: { label: strings.undo.showRest, run: () => open(id, state) },
  }
}

const pollMilliseconds = 1_000
type Report = (done: number, total: number) => void

/** Creates the revert proposal and waits until it is prepared, up to a maximum time. */
export async function prepareRevert(
  queries: QueryClient,
  project: number,
  id: number,
  report: Report,
  maxMilliseconds = Number.POSITIVE_INFINITY,
): Promise<Proposal> {
  const begin = performance.now()
  let inverse = await revertProposal(project, id)
  // Poll quickly at first, because small proposals are ready within milliseconds.
  for (let wait = 100; isMoving(inverse); wait = Math.min(2 * wait, pollMilliseconds)) {
    if (performance.now() - begin > maxMilliseconds) return inverse
    report(inverse.summary.prepared, inverse.summary.total)
    await pause(wait)
    inverse = await queries.fetchQuery({ ...proposalQuery(project, inverse.id), staleTime: 0 })
  }
  return inverse
}

/** Reports the progress of an apply until its response arrives. */
async function watchUntil(
  queries: QueryClient,
  project: number,
  id: number,
  response: Promise<unknown>,
  report: Report,
) {
  let isOver = false
  const over = response
    .catch(() => {})
    .then(() => {
      isOver = true
    })
  for (;;) {
    await Promise.race([over, pause(pollMilliseconds)])
    if (isOver) return
    const { summary } = await queries.fetchQuery({ ...proposalQuery(project, id), staleTime: 0 })
    if (!isOver) report(summary.total - summary.states.open, summary.total)
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
