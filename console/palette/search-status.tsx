import styles from './palette.module.css'
import { strings } from './strings.ts'

type Props = { text: string; count: number; isSearching: boolean; error: Error | null }

/** The state of the search, also for screen readers. Without a text, the keys. */
export function SearchStatus({ text, count, isSearching, error }: Props) {
  const status = statusText(text, count, isSearching)
  return (
    <div className={styles.state}>
      <span role="status">
        {error !== null && text !== '' ? strings.status.failed(error.message) : status}
      </span>
      {text === '' && (
        <span aria-hidden="true" className={styles.keys}>
          {strings.hint}
        </span>
      )}
    </div>
  )
}

function statusText(text: string, count: number, isSearching: boolean): string {
  if (!navigator.onLine) return strings.status.offline
  if (text === '') return ''
  if (isSearching) return strings.status.searching
  return count === 0 ? strings.status.none(text) : strings.status.count(count)
}
