import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemError } from '../../network.ts'
import { pageSize } from '../../queries.ts'
import type { Page } from '../../wire.ts'
import { Empty, Loaded } from '../loaded.tsx'
import { strings } from '../strings.ts'
import { type Column, DataTable } from './data-table.tsx'
import { Pager } from './pager.tsx'

type Props<Row extends { id: number }> = {
  label: string
  query: UseQueryResult<Page<Row>>
  columns: Column<Row>[]
  page: number
  go: (page: number) => void
  empty: ReactNode
}

/** A paged list with its loading, error and empty states. */
export function PagedList<Row extends { id: number }>({
  label,
  query,
  columns,
  page,
  go,
  empty,
}: Props<Row>) {
  if (isNoPage(query.error)) return <NoPage page={page} go={go} />
  return (
    <Loaded query={query}>
      {(data) =>
        data.count === 0 ? (
          empty
        ) : (
          <>
            <DataTable
              label={label}
              columns={columns}
              rows={data.results}
              rowId={({ id }) => String(id)}
              stale={query.isPlaceholderData}
            />
            <Pager page={page} pageSize={pageSize} data={data} go={go} />
          </>
        )
      }
    </Loaded>
  )
}

function isNoPage(error: Error | null): boolean {
  return error instanceof ProblemError && error.code === 'invalid_page'
}

/** The user typed the URL, or the list became shorter. */
function NoPage({ page, go }: { page: number; go: (page: number) => void }) {
  return (
    <Empty
      title={strings.list.noPageTitle(page)}
      action={
        <Button size="xs" variant="default" onClick={() => go(1)}>
          {strings.list.firstPage}
        </Button>
      }
    >
      {strings.list.noPageText}
    </Empty>
  )
}
