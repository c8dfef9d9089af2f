import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { pageSize } from '../queries.ts'
import type { Page } from '../wire.ts'
import { type Column, DataTable } from './data-table.tsx'
import { Loaded } from './loaded.tsx'
import { Pager } from './pager.tsx'

type Props<Row extends { id: number }> = {
  label: string
  query: UseQueryResult<Page<Row>>
  columns: Column<Row>[]
  page: number
  go: (page: number) => void
  empty: ReactNode
}

/** A list of the service, page by page, with what stands in for it while it loads, fails or is empty. */
export function PagedList<Row extends { id: number }>({
  label,
  query,
  columns,
  page,
  go,
  empty,
}: Props<Row>) {
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
