import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Page } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import styles from './broken-page.module.css'
import { strings } from './strings.ts'

export function BrokenPage({ error }: ErrorComponentProps) {
  const router = useRouter()
  useEffect(() => {
    const retry = () => void router.invalidate()
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [router])
  return (
    <Page title={strings.broken}>
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
