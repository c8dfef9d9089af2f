import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Page } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import styles from './broken-page.module.css'
import { strings } from './strings.ts'

const retryWindowMilliseconds = 10_000
let onlineSince = Number.NEGATIVE_INFINITY
window.addEventListener('online', () => {
  onlineSince = performance.now()
})

export function BrokenPage({ error }: ErrorComponentProps) {
  const router = useRouter()
  useEffect(() => {
    const retry = () => void router.invalidate()
    window.addEventListener('online', retry)
    // The network may have come back before this page appeared, and its first requests may still fail.
    const isRecent = error !== undefined && performance.now() - onlineSince < retryWindowMilliseconds
    const timer = isRecent ? setTimeout(retry, 500) : undefined
    return () => {
      window.removeEventListener('online', retry)
      clearTimeout(timer)
    }
  }, [router, error])
  return (
    <Page title={strings.broken.title} lead={strings.broken.lead}>
      <ProblemAlert
        error={error instanceof Error ? error : new Error(String(error))}
        retry={() => router.invalidate()}
      />
    </Page>
  )
}

/** For errors that also affect the navigation. */
export function BrokenStart(props: ErrorComponentProps) {
  return (
    <main className={styles.start}>
      <BrokenPage {...props} />
    </main>
  )
}
