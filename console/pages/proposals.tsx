import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import styles from '../parts/lists/list-filters.module.css'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { proposalColumns } from '../proposals/proposal-columns.tsx'
import { type ProposalFilters, proposalsQuery } from '../proposals/queries.ts'
import { originWords, stateWords } from '../proposals/words.ts'

const from = '/signed-in/projects/$projectId/proposals'
const states = [
  { value: '', label: 'Any state' },
  ...Object.entries(stateWords).map(([value, { text }]) => ({ value, label: text })),
]
const origins = [
  { value: '', label: 'From anywhere' },
  ...Object.entries(originWords).map(([value, label]) => ({ value, label })),
]

export function ProposalsPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const { page = 1, ...filters } = useSearch({ from })
  const navigate = useNavigate()
  const go = (search: ProposalFilters & { page?: number }) =>
    navigate({ to: '/projects/$projectId/proposals', params: { projectId: project.id }, search })
  return (
    <Page
      title="Proposals"
      lead="Changes that wait for somebody to look at them: edits of many products, imports, drafts by programs, and undo. Nothing changes until a proposal is applied."
    >
      <Card label="All proposals" flush>
        <div className={styles.filters}>
          <Filters filters={filters} go={go} />
        </div>
        <PagedList
          label="Proposals"
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
        aria-label="State"
        data={states}
        value={filters.state ?? ''}
        onChange={({ currentTarget }) => choose('state')(currentTarget.value)}
      />
      <NativeSelect
        aria-label="Where it comes from"
        data={origins}
        value={filters.origin ?? ''}
        onChange={({ currentTarget }) => choose('origin')(currentTarget.value)}
      />
    </>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No such proposals">Choose another state or origin above.</Empty>
  return (
    <Empty title="No proposals yet">
      An edit of many products, an import that proposes, and programs with the scope{' '}
      <code>products:propose</code> make them.
    </Empty>
  )
}
