import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { Column } from '../parts/lists/data-table.tsx'
import type { Webhook } from '../wire.ts'
import { lagText, typesText } from './format.ts'
import { shortUrl } from './short-url.ts'
import { LastError, LastSuccess, StateTag } from './state-tag.tsx'
import { strings } from './strings.ts'
import styles from './webhooks.module.css'

export function UrlLink({ project, id, url }: { project: number; id: number; url: string }) {
  return (
    <div className={styles.address}>
      <Anchor
        component={Link}
        to={`/projects/${project}/settings/webhooks/${id}`}
        fw={540}
        underline="hover"
        size="sm"
      >
        <Breakable text={shortUrl(url)} />
      </Anchor>
    </div>
  )
}

/** Lines break after a slash. */
function Breakable({ text }: { text: string }) {
  return text.split(/(?<=\/)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a URL have a fixed order
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}

/** For the webhooks of one project or of all projects. */
export const stateColumns = <Row extends Webhook>(): Column<Row>[] => [
  { header: strings.facts.state, id: 'state', cell: ({ row }) => <StateTag webhook={row.original} /> },
  {
    header: strings.facts.lag,
    id: 'lag',
    cell: ({ row: { original } }) => (
      <>
        <div>{lagText(original.lag_seconds)}</div>
        {original.parked > 0 && (
          <div className={styles.small}>{strings.facts.failedDeliveries(original.parked)}</div>
        )}
      </>
    ),
  },
  {
    header: strings.facts.lastSuccess,
    id: 'success',
    cell: ({ row }) => <LastSuccess webhook={row.original} />,
  },
  { header: strings.facts.lastError, id: 'error', cell: ({ row }) => <LastError webhook={row.original} /> },
]

export const webhookColumns = (project: number): Column<Webhook>[] => [
  {
    header: strings.facts.url,
    id: 'url',
    cell: ({ row: { original } }) => <UrlLink project={project} id={original.id} url={original.url} />,
  },
  {
    header: strings.facts.events,
    id: 'events',
    cell: ({ row }) => <div className={styles.types}>{typesText(row.original.types)}</div>,
  },
  ...stateColumns<Webhook>(),
]
