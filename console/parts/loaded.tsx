import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import styles from './loaded.module.css'
import { ProblemAlert, useIsPast } from './problem.tsx'
import { strings } from './strings.ts'

type Props<Data> = { query: UseQueryResult<Data>; rows?: number; children: (data: Data) => ReactNode }

/** The data, or what stands in for it while it loads or when it cannot be had. */
export function Loaded<Data>({ query, rows = 4, children }: Props<Data>) {
  if (query.data !== undefined)
    return (
      <>
        {query.isRefetchError && <OldData query={query} />}
        {children(query.data)}
      </>
    )
  if (query.error !== null)
    return (
      <div className={styles.frame}>
        <ProblemAlert error={query.error} retry={() => query.refetch()} />
      </div>
    )
  return (
    <div className={styles.frame} role="status">
      <Waiting />
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Skeleton key={row} height={14} radius="sm" width={`${92 - ((row * 17) % 40)}%`} />
      ))}
    </div>
  )
}

const patienceMilliseconds = 3_000

/** Whoever waits for long is told that nothing is stuck on their side. */
function Waiting() {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), patienceMilliseconds)
    return () => clearTimeout(timer)
  }, [])
  return (
    <span className={isLong ? styles.waiting : 'unseen'}>
      {isLong ? strings.loading.long : strings.loading.short}
    </span>
  )
}

/** Said above data that could not be fetched again. */
function OldData({ query }: { query: UseQueryResult<unknown> }) {
  // The data is fetched again then.
  if (useIsPast(query.error)) return null
  return (
    <div className={styles.frame}>
      <ProblemAlert
        title={strings.loading.stale}
        error={query.error as Error}
        retry={() => query.refetch()}
      />
    </div>
  )
}

/** An empty list says what would stand here and how it comes about. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={styles.empty}>
      <p className={styles.emptyTitle}>{title}</p>
      <p className={styles.emptyText}>{children}</p>
      {action}
    </div>
  )
}
