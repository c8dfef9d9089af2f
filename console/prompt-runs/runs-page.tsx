import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { NoProvider } from '../ai-providers/no-provider.tsx'
import { runModelsQuery } from '../ai-providers/queries.ts'
import filterStyles from '../parts/lists/list-filters.module.css'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import styles from './prompt-runs.module.css'
import { runsQuery } from './queries.ts'
import { runColumns } from './run-columns.tsx'
import type { RunsSearch } from './states.ts'
import { strings } from './strings.ts'

const states = [
  { value: '', label: strings.list.anyState },
  ...Object.entries(strings.states).map(([value, label]) => ({ value, label })),
]

export function RunsPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/runs' })
  const { canWrite } = usePermissions()
  return (
    <Page title={strings.list.title} lead={strings.list.lead}>
      {canWrite ? (
        <Runs project={projectId} />
      ) : (
        <Card title={strings.noPermission.title}>{strings.noPermission.text}</Card>
      )}
    </Page>
  )
}

function Runs({ project }: { project: number }) {
  const { page = 1, state } = useSearch({ from: '/signed-in/projects/$projectId/runs' })
  const navigate = useNavigate()
  const { data: providers } = useQuery(runModelsQuery(project))
  const go = (search: RunsSearch) =>
    navigate({ to: '/projects/$projectId/runs', params: { projectId: project }, search })
  const isDisabled = providers !== undefined && providers.length > 0
  return (
    <>
      {providers?.every((one) => one.state === 'disabled') && (
        <Card label={strings.list.provider}>
          <div className={styles.notice}>
            <NoProvider project={project} isDisabled={isDisabled} />
          </div>
        </Card>
      )}
      <Card label={strings.list.all} flush>
        <div className={filterStyles.filters}>
          <NativeSelect
            aria-label={strings.list.state}
            data={states}
            value={state ?? ''}
            onChange={({ currentTarget: { value } }) =>
              go(value === '' ? {} : { state: value as NonNullable<RunsSearch['state']> })
            }
          />
        </div>
        <PagedList
          label={strings.list.title}
          query={useQuery(runsQuery(project, { page, ...(state && { state }) }))}
          columns={runColumns(project)}
          page={page}
          go={(to) => go({ ...(state && { state }), page: to })}
          empty={<Nothing isFiltered={state !== undefined} />}
        />
      </Card>
    </>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title={strings.list.noMatch}>{strings.list.noMatchHint}</Empty>
  return <Empty title={strings.list.none}>{strings.list.noneHint}</Empty>
}
