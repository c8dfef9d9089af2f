import { Anchor, Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '../../parts/dialogs/dialogs.tsx'
import { sayDone } from '../../parts/done.ts'
import { type Column, DataTable } from '../../parts/lists/data-table.tsx'
import { Empty } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { removeLabel } from '../changes.ts'
import styles from '../prompts.module.css'
import { promptsKey } from '../queries.ts'
import type { ViewProps } from '../view-props.ts'
import { LabelDialog } from './label-dialog.tsx'
import { LabelMoves } from './label-moves.tsx'

type Row = { label: string; version: string }
type Asked = { act: 'set' } | { act: 'move' | 'remove'; label: string; version: string }

/** Where the labels point, and where they pointed. */
export function LabelsView(props: ViewProps) {
  const { project, prompt, version, mayEdit } = props
  const [asked, setAsked] = useState<Asked>()
  const rows = Object.entries(prompt.labels).map(([label, version]) => ({ label, version }))
  const close = () => setAsked(undefined)
  const setButton = mayEdit && (
    <Button variant="default" size="xs" onClick={() => setAsked({ act: 'set' })}>
      Set label…
    </Button>
  )
  return (
    <>
      <Card
        title="Labels"
        lead="A label points at one version. Programs that ask for the label get that version, so moving it needs no release."
        actions={setButton}
        flush
      >
        {rows.length === 0 ? (
          <Empty title="No labels yet">
            A label such as production says which version programs shall use, whatever is added meanwhile.
          </Empty>
        ) : (
          <DataTable
            label="Labels"
            columns={columnsOf(props, mayEdit ? setAsked : undefined)}
            rows={rows}
            rowId={({ label }) => label}
          />
        )}
      </Card>
      <LabelMoves {...props} />
      {asked !== undefined && asked.act !== 'remove' && (
        <LabelDialog
          {...{ project, prompt, close }}
          {...(asked.act === 'move' ? { label: asked.label, version: prompt.latest_version } : { version })}
        />
      )}
      {asked?.act === 'remove' && <RemoveDialog {...props} {...asked} close={close} />}
    </>
  )
}

function columnsOf({ project, prompt }: ViewProps, ask?: (asked: Asked) => void): Column<Row>[] {
  const columns: Column<Row>[] = [
    { header: 'Label', id: 'label', cell: ({ row }) => <strong>{row.original.label}</strong> },
    {
      header: 'Version',
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
  if (ask === undefined) return columns
  const acts: Column<Row> = {
    header: () => <span className="unseen">What to do</span>,
    id: 'acts',
    cell: ({ row: { original } }) => (
      <span className={styles.chips}>
        <Button variant="default" size="xs" onClick={() => ask({ act: 'move', ...original })}>
          Move…<span className="unseen"> {original.label}</span>
        </Button>
        <Button variant="default" size="xs" onClick={() => ask({ act: 'remove', ...original })}>
          Remove…<span className="unseen"> {original.label}</span>
        </Button>
      </span>
    ),
  }
  return [...columns, acts]
}

type RemoveProps = ViewProps & { label: string; version: string; close: () => void }

function RemoveDialog({ project, prompt, label, version, close }: RemoveProps) {
  const queries = useQueryClient()
  const run = async () => {
    await removeLabel(project, prompt.id, label)
    await queries.invalidateQueries({ queryKey: promptsKey(project) })
    sayDone(`${label} is removed.`)
    close()
  }
  return (
    <ConfirmDialog title={`Remove ${label}?`} action={`Remove ${label}`} danger run={run} close={close}>
      <strong>{label}</strong> points at version {version}. Programs that ask for {label} are refused from
      then on. The version itself stays.
    </ConfirmDialog>
  )
}
