import type { ListedProduct } from '../../wire.ts'
import styles from '../product-table.module.css'
import { strings } from '../strings.ts'

/** What a product lacks in the language or market of the list. */
export function MarketNote({ product: { view } }: { product: ListedProduct }) {
  if (view === undefined || view.missing.length + view.stale.length === 0) return null
  const notes = [
    ...(view.missing.length === 0 ? [] : [strings.list.missing(view.missing.length)]),
    ...(view.stale.length === 0 ? [] : [strings.list.outdated(view.stale.length)]),
  ]
  return <small className={styles.match}>{notes.join(', ')}</small>
}
