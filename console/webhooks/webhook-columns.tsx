import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { Column } from '../parts/lists/data-table.tsx'
import { counted } from '../parts/words/number-text.ts'
import type { Webhook } from '../wire.ts'
import { lagText, shortAddress, typesText } from './format.ts'
import { LastError, LastSuccess, StateTag } from './state-tag.tsx'
import styles from './webhooks.module.css'

/** The address, which leads to the webhook. */
export function AddressLink({ project, id, url }: { project: number; id: number; url: string }) {
  return (
    <div className={styles.address}>
      <Anchor
        component={Link}
        to={`/projects/${project}/settings/webhooks/${id}`}
        fw={540}
        underline="hover"
        size="sm"
      >
        <Breakable text={shortAddress(url)} />
      </Anchor>
    </div>
  )
}

/** Broken behind a slash rather than anywhere. */
function Breakable({ text }: { text: string }) {
  return text.split(/(?<=\/)/).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their order
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}

/** How a webhook is, in a list of the project or of all projects. */
export const stateColumns = <Row extends Webhook>(): Column<Row>[] => [
  { header: 'State', id: 'state', cell: ({ row }) => <StateTag webhook={row.original} /> },
  {
    header: 'Lag',
    id: 'lag',
    cell: ({ row: { original } }) => (
      <>
        <div>{lagText(original.lag_seconds)}</div>
        {original.parked > 0 && (
          <div className={styles.small}>{counted(original.parked, 'parked event')}</div>
        )}
      </>
    ),
  },
  { header: 'Last success', id: 'success', cell: ({ row }) => <LastSuccess webhook={row.original} /> },
  { header: 'Last error', id: 'error', cell: ({ row }) => <LastError webhook={row.original} /> },
]

export const webhookColumns = (project: number): Column<Webhook>[] => [
  {
    header: 'Address',
    id: 'address',
    cell: ({ row: { original } }) => <AddressLink project={project} id={original.id} url={original.url} />,
  },
  {
    header: 'Events',
    id: 'events',
    cell: ({ row }) => <div className={styles.types}>{typesText(row.original.types)}</div>,
  },
  ...stateColumns<Webhook>(),
]
