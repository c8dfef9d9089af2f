import { Anchor, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Tag } from '../parts/badges.tsx'
import { Icon } from '../parts/icons.tsx'
import type { Column } from '../parts/lists/data-table.tsx'
import { ListFilters } from '../parts/lists/list-filters.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { Moment } from '../parts/words/moment.tsx'
import { numberText } from '../parts/words/number-text.ts'
import { planName } from '../parts/words/plan-name.ts'
import { operatorProjectsQuery } from '../queries.ts'
import type { OperatorProject } from '../wire.ts'
import { CreateProjectDialog } from './create-project-dialog.tsx'
import { choicesOf, type ProjectsView, projectOrders } from './lists.ts'
import styles from './operator.module.css'

export function OperatorProjectsPage() {
  const view = useSearch({ from: '/signed-in/operator/projects' })
  const navigate = useNavigate()
  const [creating, dialog] = useDisclosure(false)
  const go = (search: ProjectsView, replace = false) =>
    navigate({ to: '/operator/projects', search, replace })
  const { page: _page, ...filters } = view
  const create = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={dialog.open}>
      New project
    </Button>
  )
  return (
    <Page title="Projects" lead="Every project of this service, with its plan and its use." actions={create}>
      <Card label="All projects" flush>
        <Filters view={filters} go={go} />
        <PagedList
          label="Projects"
          query={useQuery(operatorProjectsQuery(view))}
          columns={columns}
          page={view.page ?? 1}
          go={(page) => go({ ...filters, page })}
          empty={<Nothing isSearched={filters.search !== undefined} />}
        />
      </Card>
      {creating && <CreateProjectDialog close={dialog.close} />}
    </Page>
  )
}

type FilterProps = { view: ProjectsView; go: (view: ProjectsView, replace?: boolean) => void }

function Filters({ view: { search = '', ordering, ...rest }, go }: FilterProps) {
  const kept = ordering === undefined ? rest : { ...rest, ordering }
  return (
    <ListFilters
      label="Search by name or id"
      search={search}
      find={(text, isFirst) => go({ ...kept, ...(text !== '' && { search: text }) }, !isFirst)}
      choices={[
        {
          label: 'Order',
          value: ordering ?? '',
          data: choicesOf(projectOrders, 'By name'),
          choose: (next) =>
            go({
              ...rest,
              ...(search !== '' && { search }),
              ...(next !== '' && { ordering: next as keyof typeof projectOrders }),
            }),
        },
      ]}
    />
  )
}

function Nothing({ isSearched }: { isSearched: boolean }) {
  if (isSearched) return <Empty title="No project is called so">Search for fewer words.</Empty>
  return (
    <Empty title="No projects yet">
      A project holds its own products, prompts and tokens. Make the first one.
    </Empty>
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
          <bdi>{original.name}</bdi>
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
  {
    header: 'Products',
    id: 'products',
    isNumber: true,
    cell: ({ row }) => numberText(row.original.products),
  },
  {
    header: 'Requests, 30 days',
    id: 'requests',
    isNumber: true,
    cell: ({ row }) => numberText(row.original.requests_30_days),
  },
  { header: 'Created', id: 'created', cell: ({ row }) => <Moment at={row.original.created_at} /> },
]
