import { Tag } from '../parts/badges.tsx'
import { errorText } from './format.ts'
import { strings } from './strings.ts'
import styles from './webhooks.module.css'

/** The status of an attempt, or why there is none. */
export function ResponseTag({ status, error }: { status: number | null; error: string | null }) {
  return (
    <>
      <Tag tone={error === null ? 'accent' : 'red'}>
        {status === null ? strings.attempts.noResponse : String(status)}
      </Tag>
      {status === null && error !== null && <div className={styles.error}>{errorText(error)}</div>}
    </>
  )
}
