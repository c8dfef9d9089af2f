import { Alert, Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useCallback, useState } from 'react'
import { usePermissions } from '../parts/permissions.ts'
import { ProblemAlert } from '../parts/problem.tsx'
import { useFollow } from '../product/product-link.tsx'
import { productQuery } from '../product/queries.ts'
import type { ProductDetail } from '../wire.ts'
import type { WorkPosition } from './position.ts'
import { strings } from './strings.ts'
import { type Work, workQuery } from './work-query.ts'
import { WorklistSkeleton } from './worklist-states.tsx'

/** How many products are left, and a link to them. */
export function WorkProgress({
  position: { skipped, listUrl },
  work,
}: {
  position: WorkPosition
  work: Work | undefined
}) {
  const follow = useFollow()
  return (
    <>
      <span role="status">
        {work !== undefined && work.count > 0 && (
          <>
            <strong>{strings.page.left(Math.max(0, work.count - skipped))}</strong>
            {skipped > 0 && strings.page.skipped(Math.min(skipped, work.count))}
          </>
        )}
      </span>{' '}
      <Anchor {...follow(listUrl)}>{strings.page.list}</Anchor>
    </>
  )
}

/** The product on screen. */
export type WorkStep = {
  live: ProductDetail
  /** Whether the next product is loading. */
  isMoving: boolean
  skip: () => void
  /** Keeps the product on screen while it has unsaved changes, even if it leaves the list. */
  hold: (isHeld: boolean) => void
}

type Props = {
  position: WorkPosition
  work: { data: Work; isFetching: boolean }
  /** What viewers cannot do here. */
  readOnlyText: string
  end: ReactNode
  children: (step: WorkStep) => ReactNode
}

/** Shows the products of a worklist one by one, and then the end. */
export function WorkSteps({ position, work, readOnlyText, end, children }: Props) {
  const { project, query, skipped, goTo } = position
  const { canWrite } = usePermissions()
  const [held, setHeld] = useState<{ id: number; skipped: number }>()
  // If another user completes the product, it stays on screen until the user saves or skips it.
  const id = held?.skipped === skipped ? held.id : work.data.id
  const hold = useCallback(
    (isHeld: boolean) => setHeld(isHeld && id !== null ? { id, skipped } : undefined),
    [id, skipped],
  )
  const live = useQuery({ ...productQuery(project, id ?? 0), enabled: id !== null })
  usePrefetch(position, work.data, id)
  if (!canWrite)
    return (
      <Alert color="gray" title={strings.page.readOnlyTitle}>
        {readOnlyText}
      </Alert>
    )
  if (id === null) return end
  if (live.data === undefined)
    return live.error === null ? (
      <WorklistSkeleton />
    ) : (
      <ProblemAlert error={live.error} retry={() => live.refetch()} />
    )
  const isMoving = work.isFetching || live.isFetching
  const step = { live: live.data, isMoving, skip: () => goTo(skipped + 1), hold }
  return <Fragment key={`${query} ${id}`}>{children(step)}</Fragment>
}

/** Prefetches the next product. */
function usePrefetch({ project, query, skipped }: WorkPosition, { count }: Work, id: number | null): void {
  const isThere = id !== null && count > skipped + 1
  const next = useQuery({ ...workQuery(project, query, skipped + 1), enabled: isThere }).data?.id ?? null
  useQuery({ ...productQuery(project, next ?? 0), enabled: isThere && next !== null })
}
