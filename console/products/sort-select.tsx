import { NativeSelect } from '@mantine/core'
import { columnLabel } from './columns/column-names.ts'
import { columnField } from './columns/columns.tsx'
import styles from './products.module.css'
import { strings } from './strings.ts'
import { byRelevance, newestFirst } from './view.ts'

type Props = {
  columns: readonly string[]
  isSearch: boolean
  ordering: string
  sort: (ordering: string) => void
}

/** Sorts the cards of narrow windows, which have no column headers. */
export function SortSelect({ columns, isSearch, ordering, sort }: Props) {
  const offered = [
    ...(isSearch ? [{ value: byRelevance, label: strings.sort.relevance }] : []),
    { value: newestFirst, label: strings.sort.newest },
    ...columns.flatMap((column) => {
      const { ordering: field } = columnField(column)
      if (field === undefined) return []
      const label = columnLabel(column)
      return [
        { value: field, label: strings.sort.ascending(label) },
        { value: `-${field}`, label: strings.sort.descending(label) },
      ]
    }),
  ]
  const isOffered = offered.some(({ value }) => value === ordering)
  return (
    <NativeSelect
      aria-label={strings.sort.label}
      size="xs"
      className={styles.sortSelect ?? ''}
      data={isOffered ? offered : [{ value: ordering, label: strings.sort.other }, ...offered]}
      value={ordering}
      onChange={({ currentTarget }) => sort(currentTarget.value)}
    />
  )
}
