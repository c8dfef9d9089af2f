import { Anchor, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Column } from '../parts/lists/data-table.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { troubledWebhooksQuery } from '../queries.ts'
import { AddressLink, stateColumns } from '../webhooks/webhook-columns.tsx'
import type { OperatorWebhook } from '../wire.ts'
import type { WebhooksView } from './lists.ts'
import styles from './operator.module.css'

const states = [
  { value: 'all', label: 'All' },
  { value: 'failing', label: 'Failing' },
  { value: 'disabled', label: 'Disabled' },
]

export function OperatorWebhooksPage() {
  const { page = 1, state } = useSearch({ from: '/signed-in/operator/webhooks' })
  const navigate = useNavigate()
  const go = (search: WebhooksView) => navigate({ to: '/operator/webhooks', search })
  const kept = state === undefined ? {} : { state }
  return (
    <Page
      title="Webhooks"
      lead="Those of all projects that fail or are disabled. Events are kept for them, and wait."
    >
      <Card label="Webhooks that fail or are disabled" flush>
        <div className={styles.states}>
          <SegmentedControl
            aria-label="State of the webhooks"
            size="xs"
            data={states}
            value={state ?? 'all'}
            onChange={(value) => go(value === 'all' ? {} : { state: value as 'failing' | 'disabled' })}
          />
        </div>
        <PagedList
          label="Webhooks"
          query={useQuery(troubledWebhooksQuery({ ...kept, page }))}
          columns={columns}
          page={page}
          go={(to) => go({ ...kept, page: to })}
          empty={<Empty title="Nothing to do">No such webhook fails or is disabled.</Empty>}
        />
      </Card>
    </Page>
  )
}

const columns: Column<OperatorWebhook>[] = [
  {
    header: 'Webhook',
    id: 'webhook',
    cell: ({ row: { original } }) => (
      <>
        <AddressLink project={original.project.id} id={original.id} url={original.url} />
        <div className={styles.small}>
          <Anchor component={Link} to={`/operator/projects/${original.project.id}`} size="xs">
            <bdi>{original.project.name}</bdi>
          </Anchor>
        </div>
      </>
    ),
  },
  ...stateColumns<OperatorWebhook>(),
]
