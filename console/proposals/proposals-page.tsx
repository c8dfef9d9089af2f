import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import styles from '../parts/lists/list-filters.module.css'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { originLabels, stateLabels } from './labels.ts'
import { proposalColumns } from './proposal-columns.tsx'
import { type ProposalFilters, proposalsQuery } from './queries.ts'
import { strings } from './strings.ts'

const from = '/signed-in/projects/$projectId/proposals'
const states = [
  { value: '', label: strings.list.anyState },
  ...Object.entries(stateLabels).map(([value, { text }]) => ({ value, label: text })),
]
const origins = [
  { value: '', label: strings.list.anyOrigin },
  ...Object.entries(originLabels).map(([value, label]) => ({ value, label })),
]

export function ProposalsPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const { page = 1, ...filters } = useSearch({ from })
  const navigate = useNavigate()
  const go = (search: ProposalFilters & { page?: number }) =>
    navigate({ to: '/projects/$projectId/proposals', params: { projectId: project.id }, search })
  return (
    <Page title={strings.list.title} lead={strings.list.lead}>
      <Card label={strings.list.all} flush>
        <div className={styles.filters}>
          <Filters filters={filters} go={go} />
        </div>
        <PagedList
          label={strings.list.title}
          query={useQuery(proposalsQuery(project.id, filters, page))}
          columns={proposalColumns(project.id)}
          page={page}
          go={(to) => go({ ...filters, page: to })}
          empty={<Nothing isFiltered={Object.keys(filters).length > 0} />}
        />
      </Card>
    </Page>
  )
}

type FilterProps = { filters: ProposalFilters; go: (filters: ProposalFilters) => void }

function Filters({ filters, go }: FilterProps) {
  const choose = (name: keyof ProposalFilters) => (value: string) => {
    const { [name]: _before, ...others } = filters
    go(value === '' ? others : { ...others, [name]: value })
  }
  return (
    <>
      <NativeSelect
        aria-label={strings.list.state}
        data={states}
        value={filters.state ?? ''}
        onChange={({ currentTarget }) => choose('state')(currentTarget.value)}
      />
      <NativeSelect
        aria-label={strings.list.origin}
        data={origins}
        value={filters.origin ?? ''}
        onChange={({ currentTarget }) => choose('origin')(currentTarget.value)}
      />
    </>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title={strings.list.noMatchTitle}>{strings.list.noMatchText}</Empty>
  return (
    <Empty title={strings.list.noneTitle}>
      {strings.list.noneText} <code>{strings.list.scope}</code> {strings.list.scopeWord}
    </Empty>
  )
}
