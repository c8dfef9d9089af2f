import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../../parts/dialogs/dialogs.tsx'
import { usePermissions } from '../../parts/permissions.ts'
import type { ProposalLine } from '../../wire.ts'
import { strings } from '../strings.ts'
import { useApply, useDiscard } from '../use-proposal-actions.ts'
import { OverwriteDialog } from './overwrite-dialog.tsx'
import styles from './selection-bar.module.css'

type Props = {
  project: number
  id: number
  /** Lines on this page that can be applied or discarded. */
  lines: ProposalLine[]
  chosen: ProposalLine[]
  choose: (lines: ProposalLine[]) => void
}

/** Actions on the selected lines of this page. */
export function SelectionBar({ project, id, lines, chosen, choose }: Props) {
  const [asked, setAsked] = useState<'overwrite' | 'discard'>()
  const apply = useApply(project, id)
  const discard = useDiscard(project, id)
  const open = chosen.filter(({ state }) => state === 'open').map(({ line }) => line)
  const conflicts = chosen.filter(({ state }) => state === 'conflict')
  const close = () => setAsked(undefined)
  const { canManage } = usePermissions()
  return (
    <div data-bottom-bar className={styles.bar}>
      <Checkbox
        label={chosen.length === 0 ? strings.selection.page : strings.selection.selected(chosen.length)}
        disabled={lines.length === 0}
        checked={chosen.length > 0 && chosen.length === lines.length}
        indeterminate={chosen.length > 0 && chosen.length < lines.length}
        onChange={() => choose(chosen.length === lines.length ? [] : lines)}
      />
      <div className={styles.buttons}>
        {canManage && (
          <Button
            size="xs"
            disabled={open.length === 0}
            loading={apply.isPending}
            onClick={() => apply.mutate({ lines: open })}
          >
            {strings.selection.apply}
          </Button>
        )}
        {canManage && lines.some(({ state }) => state === 'conflict') && (
          <Button
            size="xs"
            variant="default"
            disabled={conflicts.length === 0}
            onClick={() => setAsked('overwrite')}
          >
            {strings.selection.overwrite}
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          disabled={chosen.length === 0}
          onClick={() => setAsked('discard')}
        >
          {strings.selection.discard}
        </Button>
      </div>
      {asked === 'overwrite' && (
        <OverwriteDialog
          lines={conflicts}
          overwrite={() => apply.mutate({ lines: conflicts.map(({ line }) => line), overwrite: true })}
          close={close}
        />
      )}
      {asked === 'discard' && (
        <ConfirmDialog
          title={strings.discard.linesTitle(chosen.length)}
          action={strings.discard.linesAction(chosen.length)}
          danger
          close={close}
          run={async () => {
            await discard.mutateAsync(chosen.map(({ line }) => line))
            close()
          }}
        >
          {strings.discard.linesText}
        </ConfirmDialog>
      )}
    </div>
  )
}
