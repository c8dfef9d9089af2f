import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { PromptLink } from '../parts/links/prompt-link.tsx'
import cells from '../parts/lists/cells.module.css'
import type { Column } from '../parts/lists/data-table.tsx'
import { strings as parts } from '../parts/strings.ts'
import type { Run } from '../wire.ts'
import { costText } from './cost-text.ts'
import styles from './prompt-runs.module.css'
import { processedOf, RunStateTag } from './run-state-tag.tsx'
import { strings } from './strings.ts'

export const runColumns = (project: number): Column<Run>[] => [
  {
    header: strings.list.columns.run,
    id: 'run',
    cell: ({ row: { original } }) => (
      <>
        <div className={cells.name}>
          <Anchor component={Link} to={`/projects/${project}/runs/${original.id}`} underline="hover">
            {strings.run.number(original.id)}
          </Anchor>
        </div>
        <div className={cells.small}>
          <PromptLink prompt_id={original.prompt} version_number={original.version_number} />
        </div>
      </>
    ),
  },
  {
    header: strings.list.columns.state,
    id: 'state',
    cell: ({ row }) => <RunStateTag state={row.original.state} />,
  },
  {
    header: strings.list.columns.progress,
    id: 'progress',
    isNumber: true,
    cell: ({ row: { original } }) => (
      <span className={styles.whole}>{parts.progress.of(processedOf(original), original.products)}</span>
    ),
  },
  {
    header: strings.list.columns.cost,
    id: 'cost',
    isNumber: true,
    cell: ({ row }) => <Spent cost={row.original.cost} />,
  },
  {
    header: strings.list.columns.model,
    id: 'model',
    isSecondary: true,
    cell: ({ row: { original } }) => (
      <>
        <div className={cells.long}>{original.model}</div>
        <div className={cells.small}>{original.provider}</div>
      </>
    ),
  },
  {
    header: strings.list.columns.started,
    id: 'started',
    cell: ({ row: { original } }) => (
      <>
        <RelativeTime at={original.created_at} />
        <div className={cells.small}>
          <bdi>{original.actor}</bdi>
        </div>
      </>
    ),
  },
]

function Spent({ cost: { spent, budget, currency } }: Pick<Run, 'cost'>) {
  const text = costText(spent, currency)
  return budget === null ? text : strings.cost.of(text, costText(budget, currency))
}
