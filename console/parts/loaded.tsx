import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import styles from './loaded.module.css'
import { ProblemAlert, useIsOnlineAgain } from './problem.tsx'
import { strings } from './strings.ts'

type Props<Data> = { query: UseQueryResult<Data>; rows?: number; children: (data: Data) => ReactNode }

/** The data, or its loading or error state. */
export function Loaded<Data>({ query, rows = 4, children }: Props<Data>) {
  if (query.data !== undefined)
    return (
      <>
        {query.isRefetchError && <StaleDataAlert query={query} />}
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
      <LoadingText />
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Skeleton key={row} height={14} radius="sm" width={`${92 - ((row * 17) % 40)}%`} />
      ))}
    </div>
  )
}

const delayMilliseconds = 3_000

/** Explains a long wait. */
function LoadingText() {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), delayMilliseconds)
    return () => clearTimeout(timer)
  }, [])
  return (
    <span className={isLong ? styles.waiting : 'unseen'}>
      {isLong ? strings.loading.long : strings.loading.short}
    </span>
  )
}

/** Shown above data that could not be refetched. */
function StaleDataAlert({ query }: { query: UseQueryResult<unknown> }) {
  // The data is refetched when the browser is online again.
  if (useIsOnlineAgain(query.error)) return null
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

/** An empty list explains how to fill it. */
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
