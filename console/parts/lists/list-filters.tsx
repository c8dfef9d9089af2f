import { NativeSelect } from '@mantine/core'
import styles from './list-filters.module.css'
import { SearchBox } from './search-box.tsx'

type Choice = {
  label: string
  value: string
  data: { value: string; label: string }[]
  choose: (value: string) => void
}

type Props = {
  /** The label, such as "Search by name". */
  label: string
  search: string
  find: (search: string, isFirst: boolean) => void
  choices?: Choice[]
}

/** The search box and other filters above a list. */
export function ListFilters({ label, search, find, choices = [] }: Props) {
  return (
    <div className={styles.filters}>
      <SearchBox label={label} value={search} search={find} />
      {choices.map(({ label: name, value, data, choose }) => (
        <NativeSelect
          key={name}
          aria-label={name}
          data={data}
          value={value}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
      ))}
    </div>
  )
}
