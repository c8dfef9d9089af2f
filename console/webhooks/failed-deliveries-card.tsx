import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { numberText } from '../parts/format/number-text.ts'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import type { Column } from '../parts/lists/data-table.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { notifyError, notifySuccess } from '../parts/notify.ts'
import { Card } from '../parts/page.tsx'
import type { Webhook, WebhookParked } from '../wire.ts'
import { retryFailedDeliveries } from './changes.ts'
import { EventName } from './event-name.tsx'
import { failedDeliveriesQuery, webhooksKey } from './queries.ts'
import { ResponseTag } from './response-tag.tsx'
import { strings } from './strings.ts'

type Props = { project: number; webhook: Webhook; refetchInterval: number }

/** Events that the service no longer retries. Later events do not wait for them. */
export function FailedDeliveriesCard({ project, webhook, refetchInterval }: Props) {
  const queries = useQueryClient()
  const [page, setPage] = useState(1)
  const query = useQuery({ ...failedDeliveriesQuery(project, webhook.id, page), refetchInterval })
  const retry = useMutation({
    mutationFn: (ids: number[] | undefined) => retryFailedDeliveries(project, webhook.id, ids),
    onSuccess: ({ retrying }) => notifySuccess(strings.failedDeliveries.done(retrying)),
    onError: notifyError,
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
      {strings.failedDeliveries.retryAll}
    </Button>
  )
  return (
    <Card
      title={strings.failedDeliveries.title}
      lead={isDisabled ? strings.failedDeliveries.leadDisabled : strings.failedDeliveries.lead}
      actions={retryAll}
      flush
    >
      <PagedList
        label={strings.failedDeliveries.title}
        query={query}
        columns={columns(retry.isPending || isDisabled, (id) => retry.mutate([id]))}
        page={page}
        go={setPage}
        empty={<Empty title={strings.failedDeliveries.empty}>{strings.failedDeliveries.emptyHint}</Empty>}
      />
    </Card>
  )
}

const columns = (isOff: boolean, retry: (id: number) => void): Column<WebhookParked>[] => [
  {
    header: strings.failedDeliveries.columns.event,
    id: 'event',
    cell: ({ row }) => <EventName {...row.original} />,
  },
  {
    header: strings.failedDeliveries.columns.at,
    id: 'at',
    cell: ({ row }) => <RelativeTime at={row.original.parked_at} />,
  },
  {
    header: strings.failedDeliveries.columns.response,
    id: 'response',
    cell: ({ row: { original } }) => <ResponseTag status={original.status} error={original.error ?? ''} />,
  },
  {
    header: strings.failedDeliveries.columns.attempts,
    id: 'tries',
    isNumber: true,
    cell: ({ row }) => numberText(row.original.tries),
  },
  {
    header: strings.failedDeliveries.columns.actions,
    id: 'actions',
    cell: ({ row: { original } }) =>
      original.retrying ? (
        strings.failedDeliveries.retrying
      ) : (
        <Button size="compact-xs" variant="default" disabled={isOff} onClick={() => retry(original.id)}>
          {strings.failedDeliveries.retry}
          <span className="unseen"> {original.event_id}</span>
        </Button>
      ),
  },
]
