import { Alert, Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { BackLink } from '../parts/links/back-link.tsx'
import { Pager } from '../parts/lists/pager.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { pageSize } from '../queries.ts'
import { DuplicateGroupItem } from './duplicate-group.tsx'
import styles from './duplicates.module.css'
import { duplicatesQuery } from './queries.ts'
import { type DuplicatesSearch, readDuplicatesSearch, reasons } from './search.ts'
import { strings } from './strings.ts'

/** The likely duplicates of the project, as a list to work through. */
export function DuplicatesPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const search = useSearch({ from: '/signed-in/projects/$projectId/duplicates' })
  const { canWrite } = usePermissions()
  const query = useQuery(duplicatesQuery(project.id, search))
  const navigate = useNavigate()
  const go = (next: DuplicatesSearch) =>
    void navigate({ to: '/projects/$projectId/duplicates', params: { projectId: project.id }, search: next })
  return (
    <Page title={strings.title} lead={canWrite ? strings.lead : strings.leadRead}>
      <BackLink to={`/projects/${project.id}/products`} list={strings.products} />
      <Card label={strings.groups} flush>
        <div className={styles.filters}>
          <strong role="status">{query.data && strings.count(query.data.count)}</strong>
          <NativeSelect
            aria-label={strings.filter}
            value={search.reason ?? ''}
            data={[
              { value: '', label: strings.all },
              ...reasons.map((reason) => ({ value: reason, label: strings.reasons[reason] })),
            ]}
            onChange={({ currentTarget }) => go(readDuplicatesSearch({ reason: currentTarget.value }))}
          />
        </div>
        <Loaded query={query} rows={8}>
          {(data) => (
            <>
              {!data.complete && (
                <Alert color="gray" className={styles.incomplete}>
                  {strings.incomplete}
                </Alert>
              )}
              {data.count === 0 ? (
                <NoDuplicates search={search} showAll={() => go({})} />
              ) : (
                <ul className={styles.groups} aria-busy={query.isPlaceholderData}>
                  {data.results.map((group) => (
                    <DuplicateGroupItem
                      key={`${group.reason} ${group.value}`}
                      project={project.id}
                      group={group}
                    />
                  ))}
                </ul>
              )}
              <Pager
                page={search.page ?? 1}
                pageSize={pageSize}
                data={data}
                go={(page) => go({ ...search, page })}
              />
            </>
          )}
        </Loaded>
      </Card>
    </Page>
  )
}

function NoDuplicates({ search: { reason }, showAll }: { search: DuplicatesSearch; showAll: () => void }) {
  return reason === undefined ? (
    <Empty title={strings.noneTitle}>{strings.noneText}</Empty>
  ) : (
    <Empty
      title={strings.noneTitle}
      action={
        <Button size="xs" variant="default" onClick={showAll}>
          {strings.showAll}
        </Button>
      }
    >
      {strings.noneOfReason}
    </Empty>
  )
}
