import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ProblemError } from '../network.ts'
import { MissingPage } from '../pages/missing-page.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import type { Proposal } from '../wire.ts'
import { undoneOf } from './labels.ts'
import { Lines } from './lines/lines.tsx'
import { ProposalActions } from './proposal-actions.tsx'
import { ProposalSummary } from './proposal-summary.tsx'
import { proposalQuery, proposalsKey } from './queries.ts'
import { strings } from './strings.ts'
import { useIsApplying } from './use-proposal-actions.ts'

export function ProposalPage() {
  const { projectId, proposalId } = useParams({
    from: '/signed-in/projects/$projectId/proposals/$proposalId',
  })
  const isApplying = useIsApplying(projectId, proposalId)
  const options = proposalQuery(projectId, proposalId)
  const query = useQuery(isApplying ? { ...options, refetchInterval: 1_000 } : options)
  const { data } = query
  const { canManage } = usePermissions()
  useFreshLines(projectId, proposalId, data?.state)
  if (query.error instanceof ProblemError && query.error.status === 404) return <MissingPage />
  return (
    <Page
      title={data?.title ?? strings.proposal.number(proposalId)}
      lead={data === undefined ? strings.proposal.loading : leadOf(data, isApplying, canManage)}
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
  preparing: strings.proposal.leads.preparing,
  open: strings.proposal.leads.open,
  applying: strings.proposal.leads.applying,
  applied: strings.proposal.leads.applied,
  partly_applied: strings.proposal.leads.partly_applied,
  discarded: strings.proposal.leads.discarded,
  expired: strings.proposal.leads.expired,
  failed: strings.proposal.leads.failed,
}

const undoneLeads = {
  fully: strings.proposal.leads.fullyUndone,
  partly: strings.proposal.leads.partlyUndone,
}

function leadOf(proposal: Proposal, isApplying: boolean, canManage: boolean): string {
  const { state, origin, summary } = proposal
  if (isApplying) return strings.proposal.leads.applyingHere
  const undone = undoneOf(proposal)
  if (undone !== undefined) return undoneLeads[undone]
  if (!canManage && state === 'open') return strings.proposal.leads.forManagers
  if (origin === 'revert' && state === 'open') return strings.proposal.leads.openRevert
  if (state === 'applied' && summary.states.rejected > 0) return strings.proposal.leads.appliedButRejected
  return leads[state]
}

/** Refetches the lines when the state of the proposal changes. */
function useFreshLines(project: number, id: number, state: string | undefined): void {
  const queries = useQueryClient()
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== undefined && before.current !== state)
      void queries.invalidateQueries({ queryKey: [...proposalsKey(project), 'lines', id] })
    before.current = state
  }, [queries, project, id, state])
}
