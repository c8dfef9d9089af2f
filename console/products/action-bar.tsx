import { Button } from '@mantine/core'
import { Icon } from '../parts/icons.tsx'
import { useMay } from '../parts/may.ts'
import { ExportMenu } from './export-menu.tsx'
import styles from './products.module.css'
import type { Selection } from './selection.ts'

type Props = {
  project: number
  selection: Selection
  /** How many match the filters. */
  count: number
  /** What chooses the selected products. */
  filter: string
  columns: string[]
  edit: () => void
}

/** What can be done with the selection; it stays in sight below the rows. */
export function ActionBar({ project, selection, count, filter, columns, edit }: Props) {
  const { isAll, ids, selectAll, clear } = selection
  const { mayWrite } = useMay()
  if (!isAll && ids.size === 0) return null
  return (
    <section aria-label="Selection" data-bottom-bar className={styles.bar}>
      <strong role="status">
        {isAll ? `All ${count.toLocaleString()} that match` : ids.size.toLocaleString()} selected
      </strong>
      {!isAll && ids.size < count && (
        <Button variant="subtle" size="compact-sm" onClick={selectAll}>
          Select all {count.toLocaleString()} that match
        </Button>
      )}
      <Button variant="subtle" color="gray" size="compact-sm" onClick={clear}>
        Clear selection
      </Button>
      <div className={styles.barActions}>
        <ExportMenu project={project} filter={filter} columns={columns} label="Export selection" size="xs" />
        {mayWrite && (
          <Button size="xs" leftSection={<Icon name="pencil" size={15} />} onClick={edit}>
            Edit…
          </Button>
        )}
      </div>
    </section>
  )
}
