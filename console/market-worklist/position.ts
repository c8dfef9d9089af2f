import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { queryText } from '../plain-search.ts'
import { readSearch, type ViewSearch, viewOf } from '../products/view.ts'
import type { WorkPosition } from '../worklist/position.ts'

export type Kind = 'missing' | 'outdated'

export type Position = WorkPosition & {
  /** The code of the language or market. */
  code: string
  kind: Kind
  choose: (kind: Kind) => void
}

const route = '/signed-in/projects/$projectId/markets/$market/worklist'

export function useMarketPosition(): Position {
  const { projectId: project, market: code } = useParams({ from: route })
  const search = useSearch({ from: route })
  const navigate = useNavigate()
  const go = useCallback(
    (next: (now: ViewSearch) => ViewSearch) =>
      void navigate({
        to: '/projects/$projectId/markets/$market/worklist',
        params: { projectId: project, market: code },
        search: (now) => next(readSearch(now)),
        resetScroll: false,
      }),
    [navigate, project, code],
  )
  return useMemo(() => {
    const { skipped = '', only, ...others } = search
    const kind = only === 'outdated' ? 'outdated' : 'missing'
    const { filters } = viewOf(others)
    const query = queryText([[kind === 'missing' ? 'missing_in' : 'stale_in', code], ...filters])
    return {
      ...{ project, code, kind, query },
      listUrl: `/projects/${project}/products?${query}&${queryText([['market', code]])}`,
      skipped: /^[1-9]\d{0,8}$/.test(skipped) ? Number(skipped) : 0,
      goTo: (next) =>
        go(({ skipped: _before, ...rest }) => (next === 0 ? rest : { ...rest, skipped: String(next) })),
      choose: (next) =>
        go(({ skipped: _skipped, only: _only, ...rest }) =>
          next === 'missing' ? rest : { ...rest, only: next },
        ),
    }
  }, [project, code, search, go])
}
