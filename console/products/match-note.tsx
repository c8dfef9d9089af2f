import type { ListedProduct } from '../wire.ts'
import { columnLabel } from './columns/column-names.ts'
import styles from './product-table.module.css'
import { strings } from './strings.ts'

type Props = { product: ListedProduct; columns: readonly string[] }

/** Why a row matches the search, if the row does not show it: a similar spelling, or a field without a column. */
export function MatchNote({ product: { match }, columns }: Props) {
  if (match === undefined) return null
  const { field, kind, text } = match
  if (kind !== 'close' && columns.includes(field)) return null
  const note = kind === 'close' ? strings.list.similar(text) : strings.list.matchIn(columnLabel(field), text)
  return (
    <small className={styles.match} title={note}>
      <bdi>{note}</bdi>
    </small>
  )
}
