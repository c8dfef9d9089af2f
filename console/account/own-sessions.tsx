import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { endOtherSessions, endOwnSession } from '../changes.ts'
import { Tag } from '../parts/badges.tsx'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { type Column, DataTable } from '../parts/lists/data-table.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { notifyError, notifySuccess } from '../parts/notify.ts'
import { Card } from '../parts/page.tsx'
import { ownSessionsQuery } from '../queries.ts'
import type { OpenSession } from '../wire.ts'
import { deviceName } from './device-name.ts'
import { strings } from './strings.ts'

export function OwnSessions() {
  const queries = useQueryClient()
  const query = useQuery(ownSessionsQuery)
  const [isAsked, setAsked] = useState(false)
  const refresh = () => queries.invalidateQueries({ queryKey: ownSessionsQuery.queryKey })
  const end = useMutation({
    mutationFn: endOwnSession,
    onSuccess: () => notifySuccess(strings.sessions.ended),
    onError: notifyError,
    onSettled: refresh,
  })
  const others = (query.data?.count ?? 1) - 1
  return (
    <Card
      title={strings.sessions.title}
      lead={strings.sessions.lead}
      actions={
        others > 0 && (
          <Button size="xs" variant="default" onClick={() => setAsked(true)}>
            {strings.sessions.endOthers}
          </Button>
        )
      }
      flush
    >
      <Loaded query={query}>
        {({ results }) => (
          <DataTable
            label={strings.sessions.label}
            columns={others > 0 ? [...columns, endColumn(end.mutate, end.isPending)] : columns}
            rows={results}
            rowId={({ id }) => String(id)}
          />
        )}
      </Loaded>
      {isAsked && (
        <ConfirmDialog
          title={strings.sessions.endOthersTitle(others)}
          action={strings.sessions.endOthersAction(others)}
          danger
          close={() => setAsked(false)}
          run={async () => {
            const { ended } = await endOtherSessions().finally(refresh)
            notifySuccess(strings.sessions.othersEnded(ended))
            setAsked(false)
          }}
        >
          {strings.sessions.endOthersText}
        </ConfirmDialog>
      )}
    </Card>
  )
}

const columns: Column<OpenSession>[] = [
  {
    header: strings.sessions.device,
    id: 'device',
    cell: ({ row: { original } }) => (
      <span title={original.user_agent ?? ''}>
        {deviceName(original.user_agent)}{' '}
        {original.current && <Tag tone="accent">{strings.sessions.thisSession}</Tag>}
      </span>
    ),
  },
  { header: strings.sessions.ipAddress, id: 'address', cell: ({ row }) => row.original.ip_address || '–' },
  {
    header: strings.sessions.signedIn,
    id: 'created',
    cell: ({ row }) => <RelativeTime at={row.original.created_at} />,
  },
  {
    header: strings.sessions.lastSeen,
    id: 'seen',
    cell: ({ row }) => <RelativeTime at={row.original.last_seen_at} />,
  },
]

const endColumn = (end: (id: number) => void, isPending: boolean): Column<OpenSession> => ({
  header: strings.sessions.actions,
  id: 'actions',
  cell: ({ row: { original } }) =>
    original.current ? null : (
      <Button size="xs" variant="default" loading={isPending} onClick={() => end(original.id)}>
        {strings.sessions.end}
        <span className="unseen"> {deviceName(original.user_agent)}</span>
      </Button>
    ),
})
