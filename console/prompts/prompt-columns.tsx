import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Tag } from '../parts/badges.tsx'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import type { Column } from '../parts/lists/data-table.tsx'
import styles from './prompts.module.css'
import type { ListedPrompt } from './queries.ts'
import { strings } from './strings.ts'

export const promptColumns = (project: number): Column<ListedPrompt>[] => [
  {
    header: strings.list.columns.name,
    id: 'name',
    cell: ({ row: { original } }) => (
      <>
        <Anchor
          component={Link}
          to={`/projects/${project}/prompts/${original.id}`}
          className={styles.name}
          underline="hover"
        >
          <bdi>{original.name}</bdi>
        </Anchor>
        {original.description !== '' && (
          <div className={`${styles.small} ${styles.description}`} dir="auto">
            {original.description}
          </div>
        )}
      </>
    ),
  },
  {
    header: strings.list.columns.version,
    id: 'version',
    cell: ({ row: { original } }) => (
      <>
        <div className="tabular">{original.latest_version}</div>
        <div className={styles.small}>{strings.list.variables(original.variables.length)}</div>
      </>
    ),
  },
  {
    header: strings.list.columns.labels,
    id: 'labels',
    cell: ({ row: { original } }) => <Labels labels={original.labels} />,
  },
  {
    header: strings.list.columns.by,
    id: 'by',
    cell: ({ row: { original } }) => (
      <>
        <bdi>{original.latest?.actor}</bdi>
        {original.latest && (
          <div className={styles.small}>
            <RelativeTime at={original.latest.created_at} />
          </div>
        )}
      </>
    ),
  },
  {
    header: strings.list.columns.updated,
    id: 'updated',
    cell: ({ row }) => <RelativeTime at={row.original.updated_at} />,
  },
]

function Labels({ labels }: Pick<ListedPrompt, 'labels'>) {
  const all = Object.entries(labels)
  if (all.length === 0)
    return (
      <span className={styles.dim}>
        {'–'}
        <span className="unseen">{strings.list.noLabels}</span>
      </span>
    )
  return (
    <span className={styles.chips}>
      {all.map(([label, version]) => (
        <Tag key={label} tone="accent">
          {strings.list.label(label, version)}
        </Tag>
      ))}
    </span>
  )
}
