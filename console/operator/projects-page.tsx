import { Anchor, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Tag } from '../parts/badges.tsx'
import { numberText } from '../parts/format/number-text.ts'
import { planName } from '../parts/format/plan-name.ts'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { Icon } from '../parts/icons.tsx'
import cells from '../parts/lists/cells.module.css'
import type { Column } from '../parts/lists/data-table.tsx'
import { ListFilters } from '../parts/lists/list-filters.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { operatorProjectsQuery } from '../queries.ts'
import type { OperatorProject } from '../wire.ts'
import { CreateProjectDialog } from './create-project-dialog.tsx'
import { choicesOf, type ProjectOrder, type ProjectsView } from './lists.ts'

import { strings } from './project-strings.ts'

export function OperatorProjectsPage() {
  const view = useSearch({ from: '/signed-in/operator/projects' })
  const navigate = useNavigate()
  const [creating, dialog] = useDisclosure(false)
  const go = (search: ProjectsView, replace = false) =>
    navigate({ to: '/operator/projects', search, replace })
  const { page: _page, ...filters } = view
  const create = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={dialog.open}>
      {strings.projects.new}
    </Button>
  )
  return (
    <Page title={strings.projects.title} lead={strings.projects.lead} actions={create}>
      <Card label={strings.projects.label} flush>
        <Filters view={filters} go={go} />
        <PagedList
          label={strings.projects.title}
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
  const others = ordering === undefined ? rest : { ...rest, ordering }
  return (
    <ListFilters
      label={strings.projects.search}
      search={search}
      find={(text, isFirst) => go({ ...others, ...(text !== '' && { search: text }) }, !isFirst)}
      choices={[
        {
          label: strings.projects.order,
          value: ordering ?? '',
          data: choicesOf(strings.projects.orders, strings.projects.byName),
          choose: (next) =>
            go({
              ...rest,
              ...(search !== '' && { search }),
              ...(next !== '' && { ordering: next as ProjectOrder }),
            }),
        },
      ]}
    />
  )
}

function Nothing({ isSearched }: { isSearched: boolean }) {
  if (isSearched) return <Empty title={strings.projects.noMatch}>{strings.projects.noMatchHint}</Empty>
  return <Empty title={strings.projects.empty}>{strings.projects.emptyHint}</Empty>
}

const columns: Column<OperatorProject>[] = [
  {
    header: strings.projects.columns.project,
    id: 'name',
    cell: ({ row: { original } }) => (
      <div className={cells.name}>
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
  { header: strings.projects.columns.plan, id: 'plan', cell: ({ row }) => planName(row.original.plan) },
  {
    header: strings.projects.columns.apiAccess,
    id: 'access',
    cell: ({ row: { original } }) =>
      original.has_api_access ? (
        <Tag tone="accent">{strings.projects.on}</Tag>
      ) : (
        <Tag tone="gray">{strings.projects.off}</Tag>
      ),
  },
  {
    header: strings.projects.columns.products,
    id: 'products',
    isNumber: true,
    cell: ({ row }) => numberText(row.original.products),
  },
  {
    header: strings.projects.columns.members,
    id: 'members',
    isNumber: true,
    cell: ({ row }) => numberText(row.original.members),
  },
  {
    header: strings.projects.columns.requests,
    id: 'requests',
    isNumber: true,
    cell: ({ row }) => numberText(row.original.requests_30_days),
  },
  {
    header: strings.projects.columns.created,
    id: 'created',
    isSecondary: true,
    cell: ({ row }) => <RelativeTime at={row.original.created_at} />,
  },
]
