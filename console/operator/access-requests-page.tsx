import { SegmentedControl } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { approveRequest } from '../changes.ts'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { sayDone } from '../parts/done.ts'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { isolated } from '../parts/words/isolated.ts'
import { accessRequestsQuery, type RequestState } from '../queries.ts'
import { DeclineDialog } from './decline-dialog.tsx'
import styles from './operator.module.css'
import { type Decision, requestColumns } from './request-columns.tsx'

const states: { value: RequestState; label: string }[] = [
  { value: 'open', label: 'Open' },
  { value: 'approved', label: 'Approved' },
  { value: 'declined', label: 'Declined' },
  { value: 'all', label: 'All' },
]

export function AccessRequestsPage() {
  const { page = 1, state = 'open' } = useSearch({ from: '/signed-in/operator/access-requests' })
  const navigate = useNavigate()
  const [act, setAct] = useState<Decision>()
  const go = (next: { page?: number; state?: RequestState }) =>
    navigate({ to: '/operator/access-requests', search: next })
  return (
    <Page
      title="Access requests"
      lead="Projects ask here for API access. Approving turns it on and issues a token, which a member of the project sees once."
    >
      <Card label="Requests" flush>
        <div className={styles.states}>
          <SegmentedControl
            aria-label="State of the requests"
            size="xs"
            data={states}
            value={state}
            onChange={(value) => go(value === 'open' ? {} : { state: value as RequestState })}
          />
        </div>
        <PagedList
          label="Access requests"
          query={useQuery(accessRequestsQuery(state, page))}
          columns={requestColumns(setAct)}
          page={page}
          go={(to) => go({ state, page: to })}
          empty={<Nothing state={state} />}
        />
      </Card>
      {act !== undefined && <DecisionDialog act={act} close={() => setAct(undefined)} />}
    </Page>
  )
}

function Nothing({ state }: { state: RequestState }) {
  if (state === 'open')
    return (
      <Empty title="No open requests">
        A request appears here when a project on a locked plan asks for access.
      </Empty>
    )
  return <Empty title="No such requests">Choose another state above to see the rest.</Empty>
}

function DecisionDialog({ act: { kind, request }, close }: { act: Decision; close: () => void }) {
  const queries = useQueryClient()
  const refresh = () => void queries.invalidateQueries({ queryKey: ['operator'] })
  if (kind === 'decline') return <DeclineDialog request={request} close={close} />
  return (
    <ConfirmDialog
      title={`Approve API access for ${isolated(request.project.name)}?`}
      action="Approve"
      close={close}
      run={async () => {
        await approveRequest(request.id).finally(refresh)
        sayDone(`${isolated(request.project.name)} has API access now.`)
        close()
      }}
    >
      API access is turned on for the project and a token is issued. A member of the project sees the token
      once, on the API access page.
    </ConfirmDialog>
  )
}
