import { Anchor, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { CreateProjectDialog } from '../operator/create-project-dialog.tsx'
import styles from '../operator/operator.module.css'
import { Tag } from '../parts/badges.tsx'
import type { Column } from '../parts/data-table.tsx'
import { Icon } from '../parts/icons.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Card, Page } from '../parts/page.tsx'
import { PagedList } from '../parts/paged-list.tsx'
import { planName } from '../parts/plan-name.ts'
import { operatorProjectsQuery } from '../queries.ts'
import type { OperatorProject } from '../wire.ts'

export function OperatorProjectsPage() {
  const { page = 1 } = useSearch({ from: '/signed-in/operator/projects' })
  const navigate = useNavigate()
  const [creating, dialog] = useDisclosure(false)
  const create = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={dialog.open}>
      New project
    </Button>
  )
  return (
    <Page title="Projects" lead="Every project of this service, with its plan and its use." actions={create}>
      <Card title="All projects" flush>
        <PagedList
          label="Projects"
          query={useQuery(operatorProjectsQuery(page))}
          columns={columns}
          page={page}
          go={(to) => navigate({ to: '/operator/projects', search: { page: to } })}
          empty={
            <Empty title="No projects yet">
              A project holds its own products, prompts and tokens. Make the first one.
            </Empty>
          }
        />
      </Card>
      {creating && <CreateProjectDialog close={dialog.close} />}
    </Page>
  )
}

const columns: Column<OperatorProject>[] = [
  {
    header: 'Project',
    id: 'name',
    cell: ({ row: { original } }) => (
      <div className={styles.name}>
        <Anchor
          component={Link}
          to={`/operator/projects/${original.id}`}
          fw={540}
          underline="hover"
          size="sm"
        >
          {original.name}
        </Anchor>
      </div>
    ),
  },
  { header: 'Plan', id: 'plan', cell: ({ row }) => planName(row.original.plan) },
  {
    header: 'API access',
    id: 'access',
    cell: ({ row: { original } }) =>
      original.has_api_access ? <Tag tone="accent">On</Tag> : <Tag tone="gray">Locked</Tag>,
  },
  { header: 'Products', id: 'products', cell: ({ row }) => row.original.products.toLocaleString('en') },
  {
    header: 'Requests, 30 days',
    id: 'requests',
    cell: ({ row }) => row.original.requests_30_days.toLocaleString('en'),
  },
  { header: 'Created', id: 'created', cell: ({ row }) => <Moment at={row.original.created_at} /> },
]
