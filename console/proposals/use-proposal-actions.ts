import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ProblemError } from '../network.ts'
import { notifyError, notifySuccess, notifyWarning } from '../parts/notify.ts'
import { notifyUndoable, showToast } from '../parts/toast.tsx'
import type { Proposal } from '../wire.ts'
import { type Applying, applyProposal, discardProposal } from './changes.ts'
import { proposalQuery } from './queries.ts'
import { strings } from './strings.ts'
import { prepareRevert, type Undo, useUndo } from './undo.ts'

const applyKey = (project: number, id: number) => ['apply-proposal', project, id]

/** Whether this browser is applying the proposal, even if the user left its page. */
export function useIsApplying(project: number, id: number): boolean {
  return useIsMutating({ mutationKey: applyKey(project, id) }) > 0
}

export function useApply(project: number, id: number) {
  const queries = useQueryClient()
  const undo = useUndo(project)
  const { queryKey } = proposalQuery(project, id)
  return useMutation({
    mutationKey: applyKey(project, id),
    mutationFn: (body: Omit<Applying, 'revision'>) =>
      applyProposal(project, id, { ...body, revision: queries.getQueryData(queryKey)?.revision ?? 1 }),
    onMutate: () => queries.getQueryData(queryKey)?.summary.states,
    onSuccess: (after, { lines }, before) => {
      queries.setQueryData(queryKey, after)
      if (before !== undefined) notifyApplied(after, before, lines?.length ?? before.open, undo)
    },
    onError: (error) =>
      error instanceof ProblemError && error.status === 412
        ? notifyWarning(strings.review.changed)
        : notifyError(error),
    // Products changed, too.
    onSettled: () => queries.invalidateQueries({ queryKey: ['project', project] }),
  })
}

type States = Proposal['summary']['states']

function notifyApplied(proposal: Proposal, before: States, wanted: number, undo: Undo): void {
  const { applied } = proposal.summary.states
  const now = applied - before.applied
  const message = strings.apply.applied(now, wanted)
  if (now === 0) {
    showToast({ message, tone: 'yellow' })
    return
  }
  // Undo reverts the whole proposal, so after a second apply the label shows the total.
  const label = applied === now ? strings.undo.action : strings.undo.all(applied)
  notifyUndoable(message, () => undo(proposal), label)
}

export function useDiscard(project: number, id: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (lines: number[] | undefined) =>
      discardProposal(project, id, lines === undefined ? {} : { lines }),
    onSuccess: (after, lines) => {
      queries.setQueryData(proposalQuery(project, id).queryKey, after)
      notifySuccess(
        lines === undefined
          ? strings.discard.proposalDiscarded
          : strings.discard.linesDiscarded(lines.length),
      )
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['project', project] }),
  })
}

const maxWaitMilliseconds = 1_500

/** Creates the revert proposal and opens it for review. For a large one, the page shows the progress. */
export function useRevert(project: number, id: number) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => prepareRevert(queries, project, id, () => {}, maxWaitMilliseconds),
    onSuccess: ({ id: proposalId }) =>
      navigate({
        to: '/projects/$projectId/proposals/$proposalId',
        params: { projectId: project, proposalId },
      }),
    onError: notifyError,
  })
}
