import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { endOtherSessions, endOwnSession } from '../changes.ts'
import { Tag } from '../parts/badges.tsx'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { sayDone, sayFailed } from '../parts/done.ts'
import { type Column, DataTable } from '../parts/lists/data-table.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { Moment } from '../parts/words/moment.tsx'
import { counted } from '../parts/words/number-text.ts'
import { ownSessionsQuery } from '../queries.ts'
import type { OpenSession } from '../wire.ts'
import { deviceName } from './device-name.ts'

/** Where the reader is signed in. */
export function OwnSessions() {
  const queries = useQueryClient()
  const query = useQuery(ownSessionsQuery)
  const [isAsked, setAsked] = useState(false)
  const refresh = () => queries.invalidateQueries({ queryKey: ownSessionsQuery.queryKey })
  const end = useMutation({
    mutationFn: endOwnSession,
    onSuccess: () => sayDone('That session is ended.'),
    onError: sayFailed,
    onSettled: refresh,
  })
  const others = (query.data?.count ?? 1) - 1
  return (
    <Card
      title="Where you are signed in"
      lead="End a session that you do not know, and change your password then."
      actions={
        others > 0 && (
          <Button size="xs" variant="default" onClick={() => setAsked(true)}>
            End all others
          </Button>
        )
      }
      flush
    >
      <Loaded query={query}>
        {({ results }) => (
          <DataTable
            label="Your sessions"
            columns={others > 0 ? [...columns, endColumn(end.mutate, end.isPending)] : columns}
            rows={results}
            rowId={({ id }) => String(id)}
          />
        )}
      </Loaded>
      {isAsked && (
        <ConfirmDialog
          title={`End ${counted(others, 'other session')}?`}
          action="End them"
          danger
          close={() => setAsked(false)}
          run={async () => {
            const { ended } = await endOtherSessions().finally(refresh)
            sayDone(`${counted(ended, 'session')} ended.`)
            setAsked(false)
          }}
        >
          You are signed out everywhere but here.
        </ConfirmDialog>
      )}
    </Card>
  )
}

const columns: Column<OpenSession>[] = [
  {
    header: 'Device',
    id: 'device',
    cell: ({ row: { original } }) => (
      <span title={original.user_agent ?? ''}>
        {deviceName(original.user_agent)} {original.current && <Tag tone="accent">This one</Tag>}
      </span>
    ),
  },
  { header: 'Address', id: 'address', cell: ({ row }) => row.original.ip_address || '–' },
  { header: 'Signed in', id: 'created', cell: ({ row }) => <Moment at={row.original.created_at} /> },
  { header: 'Last seen', id: 'seen', cell: ({ row }) => <Moment at={row.original.last_seen_at} /> },
]

const endColumn = (end: (id: number) => void, isPending: boolean): Column<OpenSession> => ({
  header: 'Actions',
  id: 'actions',
  cell: ({ row: { original } }) =>
    original.current ? null : (
      <Button size="xs" variant="default" loading={isPending} onClick={() => end(original.id)}>
        End<span className="unseen"> {deviceName(original.user_agent)}</span>
      </Button>
    ),
})
