import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ProblemError } from '../network.ts'
import { Loaded } from '../parts/loaded.tsx'
import { useMay } from '../parts/may.ts'
import { Page } from '../parts/page.tsx'
import { Lines } from '../proposals/lines.tsx'
import { ProposalActions } from '../proposals/proposal-actions.tsx'
import { ProposalSummary } from '../proposals/proposal-summary.tsx'
import { proposalQuery, proposalsKey } from '../proposals/queries.ts'
import { useIsApplying } from '../proposals/use-decisions.ts'
import { undoneOf } from '../proposals/words.ts'
import type { Proposal } from '../wire.ts'
import { MissingPage } from './missing-page.tsx'

export function ProposalPage() {
  const { projectId, proposalId } = useParams({
    from: '/signed-in/projects/$projectId/proposals/$proposalId',
  })
  const isApplying = useIsApplying(projectId, proposalId)
  const options = proposalQuery(projectId, proposalId)
  const query = useQuery(isApplying ? { ...options, refetchInterval: 1_000 } : options)
  const { data } = query
  const { mayManage } = useMay()
  useFreshLines(projectId, proposalId, data?.state)
  if (query.error instanceof ProblemError && query.error.status === 404) return <MissingPage />
  return (
    <Page
      title={data?.title ?? `Proposal ${proposalId}`}
      lead={data === undefined ? 'Loading its lines.' : leadOf(data, isApplying, mayManage)}
      actions={data && <ProposalActions project={projectId} proposal={data} isApplying={isApplying} />}
    >
      <Loaded query={query} rows={10}>
        {(proposal) => (
          <>
            <ProposalSummary project={projectId} proposal={proposal} isApplying={isApplying} />
            {proposal.state !== 'preparing' && (
              <Lines
                project={projectId}
                proposal={proposal}
                isBusy={isApplying || proposal.state === 'applying'}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

const leads: Record<Proposal['state'], string> = {
  preparing: 'Its lines are being made. Nothing of the catalog has changed.',
  open: 'Look at the lines, then apply all of them, or some.',
  applying: 'Its lines are being written. Should it stand still, go on applying.',
  applied: 'All lines are written.',
  partly_applied: 'Some lines are written, and some are not.',
  discarded: 'Nothing of it can be applied any more.',
  expired: 'Nobody has applied it in time. Make a new one.',
  failed: 'No line of it can be applied: see what is wrong with each.',
}

const undoneLeads = {
  fully: 'All its changes were undone.',
  partly: 'Some of its changes were undone.',
}

function leadOf(proposal: Proposal, isApplying: boolean, mayManage: boolean): string {
  const { state, origin, summary } = proposal
  if (isApplying) return 'Its lines are being written.'
  const undone = undoneOf(proposal)
  if (undone !== undefined) return undoneLeads[undone]
  if (!mayManage && state === 'open') return 'A manager of the project looks at the lines and applies them.'
  if (origin === 'revert' && state === 'open') return 'Look at the lines, then apply to take it back.'
  if (state === 'applied' && summary.states.rejected > 0)
    return 'All lines are written but those that were rejected.'
  return leads[state]
}

/** Whoever applies it, here or elsewhere: lines are read again when its state has changed. */
function useFreshLines(project: number, id: number, state: string | undefined): void {
  const queries = useQueryClient()
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== undefined && before.current !== state)
      void queries.invalidateQueries({ queryKey: [...proposalsKey(project), 'lines', id] })
    before.current = state
  }, [queries, project, id, state])
}
