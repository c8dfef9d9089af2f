import { Tag } from '../parts/badges.tsx'
import { errorText } from './format.ts'
import styles from './webhooks.module.css'

/** What became of a try: the status, or why there is none. */
export function ResponseTag({ status, error }: { status: number | null; error: string | null }) {
  return (
    <>
      <Tag tone={error === null ? 'accent' : 'red'}>{status === null ? 'No answer' : String(status)}</Tag>
      {status === null && error !== null && <div className={styles.error}>{errorText(error)}</div>}
    </>
  )
}
