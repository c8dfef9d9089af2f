import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isReachable, UnreachableError } from '../network.ts'
import { Page } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import styles from './broken-page.module.css'
import { strings } from './strings.ts'

const checkMilliseconds = 1_000

export function BrokenPage({ error }: ErrorComponentProps) {
  const router = useRouter()
  useEffect(() => {
    return error instanceof UnreachableError ? whenReachable(() => router.invalidate()) : undefined
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

/** Checks the service before a retry, because each retry shows this page again and moves the focus. */
function whenReachable(retry: () => Promise<void>): () => void {
  let isChecking = false
  const check = async () => {
    if (isChecking || !navigator.onLine) return
    isChecking = true
    if (await isReachable()) await retry()
    isChecking = false
  }
  // The online event does not mean that the service is reachable, and may have come before this page appeared.
  const timer = setInterval(check, checkMilliseconds)
  window.addEventListener('online', check)
  return () => {
    clearInterval(timer)
    window.removeEventListener('online', check)
  }
}
