import { Anchor, Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '../../parts/dialogs/dialogs.tsx'
import { type Column, DataTable } from '../../parts/lists/data-table.tsx'
import { Empty } from '../../parts/loaded.tsx'
import { notifySuccess } from '../../parts/notify.ts'
import { Card } from '../../parts/page.tsx'
import { removeLabel } from '../changes.ts'
import styles from '../prompts.module.css'
import { promptsKey } from '../queries.ts'
import { strings } from '../strings.ts'
import type { ViewProps } from '../view-props.ts'
import { LabelDialog } from './label-dialog.tsx'
import { LabelMoves } from './label-moves.tsx'

type Row = { label: string; version: string }
type Action = { kind: 'set' } | { kind: 'move' | 'remove'; label: string; version: string }

/** The current labels and their history. */
export function LabelsView(props: ViewProps) {
  const { project, prompt, version, canEdit } = props
  const [action, setAction] = useState<Action>()
  const rows = Object.entries(prompt.labels).map(([label, version]) => ({ label, version }))
  const close = () => setAction(undefined)
  const setButton = canEdit && (
    <Button variant="default" size="xs" onClick={() => setAction({ kind: 'set' })}>
      {strings.labels.set}
    </Button>
  )
  return (
    <>
      <Card title={strings.labels.title} lead={strings.labels.lead} actions={setButton} flush>
        {rows.length === 0 ? (
          <Empty title={strings.labels.empty}>{strings.labels.emptyHint}</Empty>
        ) : (
          <DataTable
            label={strings.labels.title}
            columns={columnsOf(props, canEdit ? setAction : undefined)}
            rows={rows}
            rowId={({ label }) => label}
          />
        )}
      </Card>
      <LabelMoves {...props} />
      {action !== undefined && action.kind !== 'remove' && (
        <LabelDialog
          {...{ project, prompt, close }}
          {...(action.kind === 'move'
            ? { label: action.label, version: prompt.latest_version }
            : { version })}
        />
      )}
      {action?.kind === 'remove' && <RemoveDialog {...props} {...action} close={close} />}
    </>
  )
}

function columnsOf({ project, prompt }: ViewProps, begin?: (action: Action) => void): Column<Row>[] {
  const columns: Column<Row>[] = [
    { header: strings.labels.label, id: 'label', cell: ({ row }) => <strong>{row.original.label}</strong> },
    {
      header: strings.labels.version,
      id: 'version',
      cell: ({ row: { original } }) => (
        <Anchor
          component={Link}
          to={`/projects/${project}/prompts/${prompt.id}`}
          search={{ version: original.version } as never}
          className="tabular"
        >
          {original.version}
        </Anchor>
      ),
    },
  ]
  if (begin === undefined) return columns
  const actions: Column<Row> = {
    header: strings.labels.actions,
    id: 'actions',
    cell: ({ row: { original } }) => (
      <span className={styles.chips}>
        <Button variant="default" size="xs" onClick={() => begin({ kind: 'move', ...original })}>
          {strings.labels.move}
          <span className="unseen"> {original.label}</span>
        </Button>
        <Button variant="default" size="xs" onClick={() => begin({ kind: 'remove', ...original })}>
          {strings.labels.remove}
          <span className="unseen"> {original.label}</span>
        </Button>
      </span>
    ),
  }
  return [...columns, actions]
}

type RemoveProps = ViewProps & { label: string; version: string; close: () => void }

function RemoveDialog({ project, prompt, label, version, close }: RemoveProps) {
  const queries = useQueryClient()
  const run = async () => {
    await removeLabel(project, prompt.id, label)
    await queries.invalidateQueries({ queryKey: promptsKey(project) })
    notifySuccess(strings.removeLabel.done(label))
    close()
  }
  return (
    <ConfirmDialog
      title={strings.removeLabel.title(label)}
      action={strings.removeLabel.action(label)}
      danger
      run={run}
      close={close}
    >
      {strings.removeLabel.text(label, version)}
    </ConfirmDialog>
  )
}
