import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Column } from '../parts/lists/data-table.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { Moment } from '../parts/words/moment.tsx'
import { numberText } from '../parts/words/number-text.ts'
import type { WebhookAttempt } from '../wire.ts'
import { EventName } from './event-name.tsx'
import { attemptsQuery } from './queries.ts'
import { ResponseTag } from './response-tag.tsx'
import styles from './webhooks.module.css'

/** What of the attempts is shown: the address of the page has it. */
export type AttemptsView = { page?: number; failed?: boolean }

type Props = {
  project: number
  webhook: number
  view: AttemptsView
  go: (view: AttemptsView) => void
  refetchInterval: number
}

const choices = [
  { value: 'all', label: 'All' },
  { value: 'failed', label: 'Failed' },
]

export function AttemptsCard({ project, webhook, view, go, refetchInterval }: Props) {
  const { page = 1, failed = false } = view
  const query = useQuery({ ...attemptsQuery(project, webhook, failed, page), refetchInterval })
  return (
    <Card title="Attempts" lead="Deliveries of the last 30 days, newest first." flush>
      <div className={styles.tools}>
        <SegmentedControl
          aria-label="Which attempts"
          size="xs"
          data={choices}
          value={failed ? 'failed' : 'all'}
          onChange={(value) => go(value === 'failed' ? { failed: true } : {})}
        />
      </div>
      <PagedList
        label="Attempts"
        query={query}
        columns={columns}
        page={page}
        go={(to) => go({ ...(failed && { failed }), page: to })}
        empty={<Nothing isFailed={failed} />}
      />
    </Card>
  )
}

function Nothing({ isFailed }: { isFailed: boolean }) {
  if (isFailed) return <Empty title="No attempt failed">Everything that was posted was taken.</Empty>
  return (
    <Empty title="No attempts yet">The next change of the project that it is told of appears here.</Empty>
  )
}

const columns: Column<WebhookAttempt>[] = [
  { header: 'Event', id: 'event', cell: ({ row }) => <EventName {...row.original} /> },
  { header: 'When', id: 'at', cell: ({ row }) => <Moment at={row.original.at} /> },
  {
    header: 'Answer',
    id: 'answer',
    cell: ({ row: { original } }) => <ResponseTag status={original.status} error={original.error} />,
  },
  { header: 'Try', id: 'try', isNumber: true, cell: ({ row }) => numberText(row.original.try) },
  {
    header: 'Time',
    id: 'time',
    isNumber: true,
    cell: ({ row }) => `${numberText(row.original.milliseconds)} ms`,
  },
]
