import { counted } from '../parts/words/number-text.ts'
import styles from './palette.module.css'

type Props = { text: string; count: number; isSearching: boolean; error: Error | null }

/** How far the search is, also for whoever hears it; and without a text, the keys. */
export function SearchStatus({ text, count, isSearching, error }: Props) {
  const words = wordsOf(text, count, isSearching)
  return (
    <div className={styles.state}>
      <span role="status">
        {error !== null && text !== '' ? `Products cannot be searched now. ${error.message}` : words}
      </span>
      {text === '' && (
        <span aria-hidden="true" className={styles.keys}>
          ↑ ↓ choose, Enter opens, Esc closes
        </span>
      )}
    </div>
  )
}

function wordsOf(text: string, count: number, isSearching: boolean): string {
  if (!navigator.onLine) return 'You are offline: products cannot be searched.'
  if (text === '') return ''
  if (isSearching) return 'Searching…'
  return count === 0 ? `Nothing found for “${text}”` : counted(count, 'result')
}
