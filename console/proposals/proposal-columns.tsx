import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Tag } from '../parts/badges.tsx'
import type { Column } from '../parts/lists/data-table.tsx'
import { Moment } from '../parts/words/moment.tsx'
import { numberText } from '../parts/words/number-text.ts'
import type { Proposal } from '../wire.ts'
import styles from './proposals.module.css'
import { type LineState, lineStateCounts, originWords, stateWord } from './words.ts'

export const proposalColumns = (project: number): Column<Proposal>[] => [
  {
    header: 'Proposal',
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
  { header: 'State', id: 'state', cell: ({ row }) => <ProposalStateTag proposal={row.original} /> },
  { header: 'Lines', id: 'lines', cell: ({ row }) => <LineCounts proposal={row.original} /> },
  {
    header: 'From',
    id: 'from',
    cell: ({ row: { original } }) => (
      <>
        <div>{originWords[original.origin]}</div>
        <div className={styles.small}>
          <bdi>{original.actor}</bdi>
        </div>
      </>
    ),
  },
  { header: 'Created', id: 'created', cell: ({ row }) => <Moment at={row.original.created_at} /> },
  {
    header: 'Expires',
    id: 'expires',
    cell: ({ row: { original } }) =>
      original.state === 'open' ? (
        <Moment at={original.expires_at} />
      ) : (
        <span className={styles.dim}>
          –<span className="unseen">Does not expire</span>
        </span>
      ),
  },
]

export function ProposalStateTag({ proposal }: { proposal: Proposal }) {
  const { tone, text } = stateWord(proposal)
  return <Tag tone={tone}>{text}</Tag>
}

/** How many lines there are, and what has become of them. */
function LineCounts({ proposal: { state, summary } }: { proposal: Proposal }) {
  if (state === 'preparing')
    return (
      <span>
        {numberText(summary.prepared)} of {numberText(summary.total)} prepared
      </span>
    )
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
