import { Button, Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { NoProducts } from '../parts/links/no-products.tsx'
import { Empty } from '../parts/loaded.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { ProblemAlert } from '../parts/problem.tsx'
import { lazyPart } from '../routes/lazy-page.ts'
import type { ListedProduct, Page } from '../wire.ts'
import type { Columns } from './columns/use-columns.ts'
import { ListProblem } from './link-errors.tsx'
import { ListPager } from './list-pager.tsx'
import { readsBase } from './market/market-page.ts'
import { ProductTable } from './product-table.tsx'
import styles from './products.module.css'
import type { Selection } from './selection.ts'
import { SortSelect } from './sort-select.tsx'
import { strings } from './strings.ts'
import type { ViewState } from './use-view.ts'
import { editPageSizes, pageQuery, pageSizes } from './view.ts'

const loadSheet = lazyPart(() => import('./sheet/product-sheet.tsx'))
const ProductSheet = lazy(async () => ({ default: (await loadSheet()).ProductSheet }))

type Props = {
  state: ViewState
  query: UseQueryResult<Page<ListedProduct>>
  columns: Columns
  selection: Selection
}

/** The rows with count and pager, or the loading, empty or error state. */
export function ProductList({ state, query, columns, selection }: Props) {
  const { project, view, change } = state
  const { data, error, isPlaceholderData } = query
  const isEditing = usePermissions().canWrite && view.edit !== undefined && view.market === undefined
  const retry = () => void query.refetch()
  // Do not show the previous view's rows if this view failed to load.
  if (error !== null && (data === undefined || isPlaceholderData))
    return <ListProblem state={state} error={error} retry={retry} />
  if (data?.count === 0 && !isPlaceholderData)
    return (
      <div className={styles.card}>
        {view.filters.length > 0 ? <NoMatch {...state} /> : <NoProducts project={project} />}
      </div>
    )
  const pageSize = Math.min(500, Number(view.pageSize) || 50)
  const last = Math.max(1, Math.ceil((data?.count ?? 0) / pageSize))
  return (
    <div className={styles.card}>
      {error !== null && (
        <div className={styles.frame}>
          <ProblemAlert title={strings.list.stale} error={error} retry={retry} />
        </div>
      )}
      <div className={styles.count}>
        <p role="status">
          {data === undefined ? (
            strings.list.loading
          ) : (
            <Count count={data.count} isStale={isPlaceholderData} />
          )}
        </p>
        {data !== undefined && data.count <= fewProducts && <IncludeSimilar {...state} />}
        {view.market !== undefined && readsBase(pageQuery(view)) && (
          <p className={styles.baseNote}>{strings.list.readsBase}</p>
        )}
        {!isEditing && (
          <SortSelect
            columns={columns.columns}
            isSearch={view.search !== ''}
            ordering={view.order}
            sort={(ordering) => change({ ordering })}
          />
        )}
      </div>
      {isEditing && data !== undefined ? (
        <Suspense fallback={<Skeleton height={560} radius={0} />}>
          <ProductSheet state={state} rows={data.results} columns={columns} isStale={isPlaceholderData} />
        </Suspense>
      ) : (
        <ProductTable
          project={project}
          from={view.address}
          market={view.market}
          rows={data?.results}
          {...columns}
          ordering={view.order}
          sort={(ordering) => change({ ordering })}
          selection={selection}
          isStale={isPlaceholderData}
        />
      )}
      {data !== undefined && (
        <ListPager
          count={data.count}
          page={view.page === 'last' ? last : Number(view.page)}
          pageSize={pageSize}
          sizes={isEditing ? editPageSizes : pageSizes}
          go={(page) => change({ page: String(page) })}
          resize={(size) => change({ page_size: size })}
        />
      )}
    </div>
  )
}

function Count({ count, isStale }: { count: number; isStale: boolean }) {
  return (
    <span>
      <strong>{count.toLocaleString()}</strong> {strings.list.productsWord(count)}
      {isStale && <span className="unseen">{strings.list.reloading}</span>}
    </span>
  )
}

/** A search that finds more was probably spelled right. */
const fewProducts = 5

/** Offers to search again with typos. */
function IncludeSimilar({ view: { search, isClose }, change }: ViewState) {
  if (search === '' || isClose) return null
  return (
    <Button variant="light" size="compact-sm" onClick={() => change({ match: 'close' })}>
      {strings.list.includeSimilar}
    </Button>
  )
}

function NoMatch(state: ViewState) {
  const { search, isClose } = state.view
  return (
    <Empty
      title={strings.list.noMatchTitle}
      action={
        <div className={styles.choices}>
          <IncludeSimilar {...state} />
          <Button variant="default" size="compact-sm" onClick={state.clear}>
            {strings.list.clearFilters}
          </Button>
        </div>
      }
    >
      {search === '' || isClose ? strings.list.noMatchText : strings.list.noSpellingText}
    </Empty>
  )
}
