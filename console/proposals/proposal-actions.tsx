import { Button } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { Icon } from '../parts/icons.tsx'
import { usePermissions } from '../parts/permissions.ts'
import type { Proposal } from '../wire.ts'
import { ApplyDialog } from './apply-dialog.tsx'
import { undoneOf } from './labels.ts'
import { strings } from './strings.ts'
import { useApply, useDiscard, useRevert } from './use-proposal-actions.ts'

type Props = { project: number; proposal: Proposal; isApplying: boolean }

/** Actions on the whole proposal, depending on its state. */
export function ProposalActions({ project, proposal, isApplying }: Props) {
  const { id, state, summary } = proposal
  const [asked, setAsked] = useState<'apply' | 'discard'>()
  const apply = useApply(project, id)
  const { canWrite, canManage } = usePermissions()
  const revert = useRevert(project, id)
  const close = () => setAsked(undefined)
  const { open, conflict, applied } = summary.states
  const isSettled = (state === 'open' || state === 'applied' || state === 'partly_applied') && !isApplying
  if (!canWrite) return null
  return (
    <>
      {isSettled && applied > 0 && undoneOf(proposal) !== 'fully' && (
        <Button
          variant="default"
          leftSection={<Icon name="undo" size={16} />}
          loading={revert.isPending}
          onClick={() => revert.mutate()}
        >
          {strings.proposal.revert}
        </Button>
      )}
      {isSettled && open + conflict > 0 && (
        <Button variant="default" onClick={() => setAsked('discard')}>
          {strings.proposal.discard}
        </Button>
      )}
      {isSettled && canManage && open > 0 && (
        <Button onClick={() => setAsked('apply')}>{strings.proposal.apply}</Button>
      )}
      {state === 'applying' && canManage && !isApplying && (
        <Button variant="default" onClick={() => apply.mutate({})}>
          {strings.proposal.resume}
        </Button>
      )}
      {asked === 'apply' && (
        <ApplyDialog project={project} proposal={proposal} apply={() => apply.mutate({})} close={close} />
      )}
      {asked === 'discard' && <DiscardDialog project={project} proposal={proposal} close={close} />}
    </>
  )
}

type DialogProps = { project: number; proposal: Proposal; close: () => void }

function DiscardDialog({ project, proposal, close }: DialogProps) {
  const { id, summary } = proposal
  const discard = useDiscard(project, id)
  const { open, conflict, applied } = summary.states
  return (
    <ConfirmDialog
      title={strings.discard.title}
      action={strings.discard.action}
      danger
      close={close}
      run={async () => {
        await discard.mutateAsync(undefined)
        close()
      }}
    >
      {strings.discard.text(open, conflict)}
      {applied > 0 && ` ${strings.discard.appliedText(applied)}`}
    </ConfirmDialog>
  )
}
