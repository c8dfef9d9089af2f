import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sayDone, sayFailed } from '../parts/done.ts'
import type { Column } from '../parts/lists/data-table.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { Moment } from '../parts/words/moment.tsx'
import { counted, numberText } from '../parts/words/number-text.ts'
import type { Webhook, WebhookParked } from '../wire.ts'
import { retryParked } from './changes.ts'
import { EventName } from './event-name.tsx'
import { parkedQuery, webhooksKey } from './queries.ts'
import { ResponseTag } from './response-tag.tsx'

type Props = { project: number; webhook: Webhook; refetchInterval: number }

/** Events that were given up; all others went on without them. */
export function FailedDeliveriesCard({ project, webhook, refetchInterval }: Props) {
  const queries = useQueryClient()
  const [page, setPage] = useState(1)
  const query = useQuery({ ...parkedQuery(project, webhook.id, page), refetchInterval })
  const retry = useMutation({
    mutationFn: (ids: number[] | undefined) => retryParked(project, webhook.id, ids),
    onSuccess: ({ retrying }) =>
      sayDone(`${counted(retrying, 'event')} ${retrying === 1 ? 'is' : 'are'} tried again.`),
    onError: sayFailed,
    onSettled: () => void queries.invalidateQueries({ queryKey: webhooksKey(project) }),
  })
  const isDisabled = webhook.state === 'disabled'
  const retryAll = (
    <Button
      size="xs"
      variant="default"
      disabled={isDisabled}
      loading={retry.isPending}
      onClick={() => retry.mutate(undefined)}
    >
      Retry all
    </Button>
  )
  return (
    <Card
      title="Parked events"
      lead={
        isDisabled
          ? 'Given up after the last try. Enable the webhook to try them again.'
          : 'Given up after the last try. They stay until they are delivered.'
      }
      actions={retryAll}
      flush
    >
      <PagedList
        label="Parked events"
        query={query}
        columns={columns(retry.isPending || isDisabled, (id) => retry.mutate([id]))}
        page={page}
        go={setPage}
        empty={<Empty title="No parked events">All of them were delivered.</Empty>}
      />
    </Card>
  )
}

const columns = (isOff: boolean, retry: (id: number) => void): Column<WebhookParked>[] => [
  { header: 'Event', id: 'event', cell: ({ row }) => <EventName {...row.original} /> },
  { header: 'Parked', id: 'at', cell: ({ row }) => <Moment at={row.original.parked_at} /> },
  {
    header: 'Last answer',
    id: 'answer',
    cell: ({ row: { original } }) => <ResponseTag status={original.status} error={original.error ?? ''} />,
  },
  { header: 'Tries', id: 'tries', isNumber: true, cell: ({ row }) => numberText(row.original.tries) },
  {
    header: 'Actions',
    id: 'actions',
    cell: ({ row: { original } }) =>
      original.retrying ? (
        'Is tried again'
      ) : (
        <Button size="compact-xs" variant="default" disabled={isOff} onClick={() => retry(original.id)}>
          Retry<span className="unseen"> {original.event_id}</span>
        </Button>
      ),
  },
]
