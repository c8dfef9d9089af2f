import { Anchor, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import cells from '../parts/lists/cells.module.css'
import type { Column } from '../parts/lists/data-table.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { troubledWebhooksQuery } from '../queries.ts'
import { stateColumns, UrlLink } from '../webhooks/webhook-columns.tsx'
import type { OperatorWebhook } from '../wire.ts'
import type { WebhooksView } from './lists.ts'
import styles from './operator.module.css'
import { strings } from './webhook-strings.ts'

const states = Object.entries(strings.webhooks.states).map(([value, label]) => ({ value, label }))

export function OperatorWebhooksPage() {
  const { page = 1, state } = useSearch({ from: '/signed-in/operator/webhooks' })
  const navigate = useNavigate()
  const go = (search: WebhooksView) => navigate({ to: '/operator/webhooks', search })
  const filters = state === undefined ? {} : { state }
  return (
    <Page title={strings.webhooks.title} lead={strings.webhooks.lead}>
      <Card label={strings.webhooks.label} flush>
        <div className={styles.states}>
          <SegmentedControl
            aria-label={strings.webhooks.state}
            size="xs"
            data={states}
            value={state ?? 'all'}
            onChange={(value) => go(value === 'all' ? {} : { state: value as 'failing' | 'disabled' })}
          />
        </div>
        <PagedList
          label={strings.webhooks.title}
          query={useQuery(troubledWebhooksQuery({ ...filters, page }))}
          columns={columns}
          page={page}
          go={(to) => go({ ...filters, page: to })}
          empty={<Empty title={strings.webhooks.empty}>{strings.webhooks.emptyHint}</Empty>}
        />
      </Card>
    </Page>
  )
}

const columns: Column<OperatorWebhook>[] = [
  {
    header: strings.webhooks.webhook,
    id: 'webhook',
    cell: ({ row: { original } }) => (
      <>
        <UrlLink project={original.project.id} id={original.id} url={original.url} />
        <div className={cells.small}>
          <Anchor component={Link} to={`/operator/projects/${original.project.id}`} size="xs">
            <bdi>{original.project.name}</bdi>
          </Anchor>
        </div>
      </>
    ),
  },
  ...stateColumns<OperatorWebhook>(),
]
