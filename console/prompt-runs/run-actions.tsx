import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isAllowed } from '../../src/catalog/runs/run-states.ts'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { notifyError, notifySuccess } from '../parts/notify.ts'
import { fieldText, readNumber } from '../parts/numbers/read-number.ts'
import type { Run } from '../wire.ts'
import { changeRun, raiseBudget } from './changes.ts'
import { costText } from './cost-text.ts'
import { runQuery, runsKey } from './queries.ts'
import { strings } from './strings.ts'

type Props = { project: number; run: Run }

/** What the state of the run allows. */
export function RunActions({ project, run }: Props) {
  const { id, state, reason, cost } = run
  const [dialog, setDialog] = useState<'raise' | 'cancel'>()
  const adopt = useAdopt(project)
  const change = useMutation({
    mutationFn: (action: 'continue' | 'pause') => changeRun(project, id, action),
    onSuccess: (next, action) => {
      adopt(next)
      notifySuccess(action === 'pause' ? strings.actions.pausing : strings.actions.continued)
    },
    onError: notifyError,
  })
  const isStopping = isAllowed('pause', state) && reason === 'by_user'
  const canRaise = isAllowed('raise', state) && (cost.budget !== null || reason === 'budget_required')
  const isRaiseFirst = state === 'stopped_at_budget'
  return (
    <>
      {isAllowed('cancel', state) && (
        <Button variant="default" onClick={() => setDialog('cancel')}>
          {strings.actions.cancel}
        </Button>
      )}
      {canRaise && (
        <Button variant={isRaiseFirst ? 'filled' : 'default'} onClick={() => setDialog('raise')}>
          {strings.actions.raise}
        </Button>
      )}
      {isAllowed('pause', state) && (
        <Button
          variant="default"
          disabled={isStopping}
          loading={change.isPending}
          onClick={() => change.mutate('pause')}
        >
          {strings.actions.pause}
        </Button>
      )}
      {isAllowed('continue', state) && (
        <Button
          variant={isRaiseFirst ? 'default' : 'filled'}
          loading={change.isPending}
          onClick={() => change.mutate('continue')}
        >
          {strings.actions.continue}
        </Button>
      )}
      {dialog === 'cancel' && <CancelDialog project={project} run={run} close={() => setDialog(undefined)} />}
      {dialog === 'raise' && <RaiseDialog project={project} run={run} close={() => setDialog(undefined)} />}
    </>
  )
}

/** Shows the run of a response immediately, and refetches the lists. */
function useAdopt(project: number): (run: Run) => void {
  const queries = useQueryClient()
  return (run) => {
    queries.setQueryData(runQuery(project, run.id).queryKey, run)
    void queries.invalidateQueries({ queryKey: runsKey(project) })
  }
}

type DialogProps = Props & { close: () => void }

function CancelDialog({ project, run, close }: DialogProps) {
  const adopt = useAdopt(project)
  return (
    <ConfirmDialog
      title={strings.cancel.title}
      action={strings.cancel.action}
      danger
      close={close}
      run={async () => {
        adopt(await changeRun(project, run.id, 'cancel'))
        notifySuccess(strings.cancel.done)
        close()
      }}
    >
      {strings.cancel.text}
    </ConfirmDialog>
  )
}

function RaiseDialog({ project, run: { id, cost }, close }: DialogProps) {
  const { budget, spent, currency } = cost
  const adopt = useAdopt(project)
  const amountOf = (text: string) => {
    const read = readNumber(text)
    return 'number' in read ? read.number : 0
  }
  const form = useForm({
    initialValues: { amount: fieldText(budget) },
    validate: { amount: (text) => (amountOf(text) > (budget ?? 0) ? null : strings.raise.invalid) },
  })
  return (
    <FormDialog
      title={strings.raise.title}
      action={strings.raise.action}
      form={form}
      send={({ amount }) => raiseBudget(project, id, amountOf(amount))}
      done={(next) => {
        adopt(next)
        notifySuccess(strings.raise.done)
        close()
      }}
      close={close}
    >
      <TextInput
        label={strings.raise.label(currency)}
        description={strings.raise.hint(costText(spent, currency))}
        inputMode="decimal"
        data-autofocus
        {...form.getInputProps('amount')}
      />
    </FormDialog>
  )
}
