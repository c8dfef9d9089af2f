import { Alert, Button, Checkbox } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { Link, useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ProblemError } from '../network.ts'
import { LeaveDialog } from '../parts/dialogs/leave-dialog.tsx'
import { SaveBar } from '../parts/forms/save-bar.tsx'
import { BackLink } from '../parts/links/back-link.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import type { ProductDetail } from '../wire.ts'
import styles from './compare.module.css'
import { CompareTable } from './compare-table.tsx'
import { comparedOf, fieldRows } from './compared-fields.ts'
import { comparedProductQuery } from './queries.ts'
import { type CompareSearch, idsOf } from './search.ts'
import { strings } from './strings.ts'
import { useCopies } from './use-copies.ts'

/** Compares 2 to 4 products field by field. */
export function ComparePage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const search = useSearch({ from: '/signed-in/projects/$projectId/compare' })
  const { canWrite } = usePermissions()
  const ids = idsOf(search)
  const queries = useQueries({ queries: ids.map((id) => comparedProductQuery(project.id, id)) })
  const isMissing = ({ error }: { error: Error | null }) =>
    error instanceof ProblemError && error.status === 404
  const missing = queries.filter(isMissing).length
  const failed = queries.find((query) => query.error !== null && !isMissing(query))
  const isLoading = queries.some(({ data, error }) => data === undefined && error === null)
  const found = queries.flatMap(({ data }) => data ?? [])
  return (
    <Page title={strings.title} lead={canWrite ? strings.lead : strings.leadRead}>
      <BackLink to={`/projects/${project.id}/products`} list={strings.products} />
      {missing > 0 && <Alert color="yellow">{strings.missing(missing)}</Alert>}
      {failed !== undefined || isLoading ? (
        <Card label={strings.title}>
          <Loaded query={(failed ?? queries.find(({ data }) => data === undefined)) as (typeof queries)[0]}>
            {() => null}
          </Loaded>
        </Card>
      ) : found.length < 2 ? (
        <Card label={strings.title} flush>
          <TooFew project={project.id} />
        </Card>
      ) : (
        <Comparison project={project.id} found={found} search={search} />
      )}
    </Page>
  )
}

function TooFew({ project }: { project: number }) {
  return (
    <Empty
      title={strings.tooFewTitle}
      action={
        <Button component={Link} to={`/projects/${project}/products`} variant="default" size="xs">
          {strings.openList}
        </Button>
      }
    >
      {strings.tooFewText}
    </Empty>
  )
}

type ComparisonProps = { project: number; found: ProductDetail[]; search: CompareSearch }

function Comparison({ project, found, search }: ComparisonProps) {
  const { canWrite } = usePermissions()
  const navigate = useNavigate()
  const go = (next: CompareSearch) =>
    void navigate({
      to: '/projects/$projectId/compare',
      params: { projectId: project },
      search: next,
      replace: true,
      resetScroll: false,
    })
  const products = useMemo(() => found.map(comparedOf), [found])
  const rows = fieldRows(products)
  const different = rows.filter(({ isDifferent }) => isDifferent)
  const copies = useCopies(project, products)
  const isOnly = search.only === 'differences'
  const shown = isOnly ? different : rows
  const remove = (id: number) =>
    go({
      ...search,
      ids: idsOf(search)
        .filter((one) => one !== id)
        .join(','),
    })
  useHotkeys([['mod+S', () => copies.propose(), { preventDefault: true }]], [])
  return (
    <div className={styles.page} data-wide>
      <div className={styles.options}>
        <strong role="status">{strings.differences(different.length)}</strong>
        <Checkbox
          label={strings.onlyDifferences}
          checked={isOnly}
          onChange={({ currentTarget }) =>
            go({ ids: search.ids, only: currentTarget.checked ? 'differences' : undefined })
          }
        />
      </div>
      {shown.length === 0 ? (
        <Card label={strings.title} flush>
          <Empty title={strings.noDifferencesTitle}>{strings.noDifferencesText}</Empty>
        </Card>
      ) : (
        <CompareTable
          products={products}
          rows={shown}
          copies={copies}
          canCopy={canWrite}
          remove={found.length > 2 ? remove : undefined}
        />
      )}
      {copies.copies.length > 0 && (
        <SaveBar
          action={strings.propose}
          changed={copies.labels}
          isPending={copies.isPending}
          save={copies.propose}
          discard={copies.clear}
        />
      )}
      <LeaveDialog isDirty={copies.copies.length > 0} title={strings.leaveTitle} text={strings.leaveText} />
    </div>
  )
}
