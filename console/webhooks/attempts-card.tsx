import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { numberText } from '../parts/format/number-text.ts'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import type { Column } from '../parts/lists/data-table.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import type { WebhookAttempt } from '../wire.ts'
import { EventName } from './event-name.tsx'
import { attemptsQuery } from './queries.ts'
import { ResponseTag } from './response-tag.tsx'
import { strings } from './strings.ts'
import styles from './webhooks.module.css'

/** The URL parameters of the attempts. */
export type AttemptsView = { page?: number; failed?: boolean }

type Props = {
  project: number
  webhook: number
  view: AttemptsView
  go: (view: AttemptsView) => void
  refetchInterval: number
}

const choices = [
  { value: 'all', label: strings.attempts.all },
  { value: 'failed', label: strings.attempts.failed },
]

export function AttemptsCard({ project, webhook, view, go, refetchInterval }: Props) {
  const { page = 1, failed = false } = view
  const query = useQuery({ ...attemptsQuery(project, webhook, failed, page), refetchInterval })
  return (
    <Card title={strings.attempts.title} lead={strings.attempts.lead} flush>
      <div className={styles.tools}>
        <SegmentedControl
          aria-label={strings.attempts.filter}
          size="xs"
          data={choices}
          value={failed ? 'failed' : 'all'}
          onChange={(value) => go(value === 'failed' ? { failed: true } : {})}
        />
      </div>
      <PagedList
        label={strings.attempts.title}
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
  if (isFailed) return <Empty title={strings.attempts.noFailed}>{strings.attempts.noFailedHint}</Empty>
  return <Empty title={strings.attempts.empty}>{strings.attempts.emptyHint}</Empty>
}

const columns: Column<WebhookAttempt>[] = [
  { header: strings.attempts.columns.event, id: 'event', cell: ({ row }) => <EventName {...row.original} /> },
  { header: strings.attempts.columns.at, id: 'at', cell: ({ row }) => <RelativeTime at={row.original.at} /> },
  {
    header: strings.attempts.columns.response,
    id: 'response',
    cell: ({ row: { original } }) => <ResponseTag status={original.status} error={original.error} />,
  },
  {
    header: strings.attempts.columns.attempt,
    id: 'try',
    isSecondary: true,
    isNumber: true,
    cell: ({ row }) => numberText(row.original.try),
  },
  {
    header: strings.attempts.columns.duration,
    id: 'time',
    isNumber: true,
    cell: ({ row }) => strings.attempts.milliseconds(row.original.milliseconds),
  },
]
