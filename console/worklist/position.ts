import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { queryText } from '../plain-search.ts'
import { readSearch, type ViewSearch, viewOf } from '../products/view.ts'

/** The position in a worklist, stored in the URL. */
export type WorkPosition = {
  project: number
  /** The query string for products and order. */
  query: string
  /** The URL of the same products in the product list. */
  listUrl: string
  /** Number of skipped products. Completed products leave the list. */
  skipped: number
  goTo: (skipped: number) => void
}

export type WorklistPosition = WorkPosition & {
  /** The code of the quality rule; undefined if none is selected. */
  rule: string | undefined
  /** The filters of the products, without their order. */
  filter: string
}

const route = '/signed-in/projects/$projectId/worklist'

export function useWorklistPosition(): WorklistPosition {
  const { projectId: project } = useParams({ from: route })
  const search = useSearch({ from: route })
  const navigate = useNavigate()
  const goTo = useCallback(
    (skipped: number) =>
      void navigate({
        to: '/projects/$projectId/worklist',
        params: { projectId: project },
        search: (now) => withSkipped(readSearch(now), skipped),
        resetScroll: false,
      }),
    [navigate, project],
  )
  return useMemo(() => {
    const { skipped = '', ...others } = search
    const { filters, filter, ordering } = viewOf(others)
    const query = queryText([...filters, ...(ordering === '' ? [] : ([['ordering', ordering]] as const))])
    return {
      project,
      rule: search['quality_rule'],
      query,
      filter,
      listUrl: `/projects/${project}/products?${query}`,
      skipped: /^[1-9]\d{0,8}$/.test(skipped) ? Number(skipped) : 0,
      goTo,
    }
  }, [project, search, goTo])
}

function withSkipped({ skipped: _before, ...search }: ViewSearch, skipped: number): ViewSearch {
  return skipped === 0 ? search : { ...search, skipped: String(skipped) }
}
