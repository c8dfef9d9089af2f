import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Tag } from '../parts/badges.tsx'
import { numberText } from '../parts/format/number-text.ts'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import type { Column } from '../parts/lists/data-table.tsx'
import type { Proposal } from '../wire.ts'
import { lineStateCounts, originLabels, stateLabel } from './labels.ts'
import styles from './proposals.module.css'
import type { LineState } from './states.ts'
import { strings } from './strings.ts'

export const proposalColumns = (project: number): Column<Proposal>[] => [
  {
    header: strings.list.columns.proposal,
    id: 'title',
    cell: ({ row: { original } }) => (
      <Anchor
        component={Link}
        to={`/projects/${project}/proposals/${original.id}`}
        className={styles.title}
        underline="hover"
      >
        <bdi>{original.title}</bdi>
      </Anchor>
    ),
  },
  {
    header: strings.list.columns.state,
    id: 'state',
    cell: ({ row }) => <ProposalStateTag proposal={row.original} />,
  },
  {
    header: strings.list.columns.lines,
    id: 'lines',
    cell: ({ row }) => <LineCounts proposal={row.original} />,
  },
  {
    header: strings.list.columns.from,
    id: 'from',
    cell: ({ row: { original } }) => (
      <>
        <div>{originLabels[original.origin]}</div>
        <div className={styles.small}>
          <bdi>{original.actor}</bdi>
        </div>
      </>
    ),
  },
  {
    header: strings.list.columns.created,
    id: 'created',
    cell: ({ row }) => <RelativeTime at={row.original.created_at} />,
  },
  {
    header: strings.list.columns.expires,
    id: 'expires',
    isSecondary: true,
    cell: ({ row: { original } }) =>
      original.state === 'open' ? (
        <RelativeTime at={original.expires_at} />
      ) : (
        <span className={styles.dim}>
          –<span className="unseen">{strings.list.noExpiry}</span>
        </span>
      ),
  },
]

export function ProposalStateTag({ proposal }: { proposal: Proposal }) {
  const { tone, text } = stateLabel(proposal)
  return <Tag tone={tone}>{text}</Tag>
}

/** Line counts by state. */
function LineCounts({ proposal: { state, summary } }: { proposal: Proposal }) {
  if (state === 'preparing') return <span>{strings.list.prepared(summary.prepared, summary.total)}</span>
  const counts = (Object.entries(summary.states) as [LineState, number][]).filter(([, count]) => count > 0)
  return (
    <>
      {counts.map(([line, count]) => (
        <div key={line} className={styles.count}>
          {numberText(count)} {lineStateCounts[line][count === 1 ? 0 : 1]}
        </div>
      ))}
    </>
  )
}
