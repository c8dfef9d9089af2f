import { SegmentedControl } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { approveRequest } from '../changes.ts'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { isolate } from '../parts/format/isolate.ts'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { Card, Page } from '../parts/page.tsx'
import { accessRequestsQuery, type RequestState } from '../queries.ts'
import { strings } from './access-request-strings.ts'
import { DeclineDialog } from './decline-dialog.tsx'
import styles from './operator.module.css'
import { type Decision, requestColumns } from './request-columns.tsx'

const states = Object.entries(strings.requests.states).map(([value, label]) => ({ value, label }))

export function AccessRequestsPage() {
  const { page = 1, state = 'open' } = useSearch({ from: '/signed-in/operator/access-requests' })
  const navigate = useNavigate()
  const [action, setAction] = useState<Decision>()
  const go = (next: { page?: number; state?: RequestState }) =>
    navigate({ to: '/operator/access-requests', search: next })
  return (
    <Page title={strings.requests.title} lead={strings.requests.lead}>
      <Card label={strings.requests.label} flush>
        <div className={styles.states}>
          <SegmentedControl
            aria-label={strings.requests.state}
            size="xs"
            data={states}
            value={state}
            onChange={(value) => go(value === 'open' ? {} : { state: value as RequestState })}
          />
        </div>
        <PagedList
          label={strings.requests.title}
          query={useQuery(accessRequestsQuery(state, page))}
          columns={requestColumns(setAction)}
          page={page}
          go={(to) => go({ state, page: to })}
          empty={<Nothing state={state} />}
        />
      </Card>
      {action !== undefined && <DecisionDialog action={action} close={() => setAction(undefined)} />}
    </Page>
  )
}

function Nothing({ state }: { state: RequestState }) {
  if (state === 'open') return <Empty title={strings.requests.empty}>{strings.requests.emptyHint}</Empty>
  return <Empty title={strings.requests.noMatch}>{strings.requests.noMatchHint}</Empty>
}

function DecisionDialog({ action: { kind, request }, close }: { action: Decision; close: () => void }) {
  const queries = useQueryClient()
  const refresh = () => void queries.invalidateQueries({ queryKey: ['operator'] })
  if (kind === 'decline') return <DeclineDialog request={request} close={close} />
  return (
    <ConfirmDialog
      title={strings.approve.title(isolate(request.project.name))}
      action={strings.approve.action}
      close={close}
      run={async () => {
        await approveRequest(request.id).finally(refresh)
        notifySuccess(strings.approve.done(isolate(request.project.name)))
        close()
      }}
    >
      {strings.approve.text}
    </ConfirmDialog>
  )
}
