import { Button } from '@mantine/core'
import floating from '../parts/floating-bar.module.css'
import { Icon } from '../parts/icons.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { WriteButton } from '../prompt-runs/write/write-button.tsx'
import { CompareButton } from './compare-button.tsx'
import { ExportMenu } from './export-menu.tsx'
import styles from './products.module.css'
import type { Selection } from './selection.ts'
import { strings } from './strings.ts'

type Props = {
  project: number
  selection: Selection
  /** Number of products that match the filters. */
  count: number
  /** The filter that selects the products. */
  filter: string
  columns: string[]
  /** The language or market of the list. */
  market: string | undefined
  edit: () => void
}

/** Actions on the selection. Stays visible below the rows. */
export function ActionBar({ project, selection, count, filter, columns, market, edit }: Props) {
  const { isAll, ids, selectAll, clear } = selection
  const { canWrite } = usePermissions()
  if (!isAll && ids.size === 0) return null
  return (
    <section aria-label={strings.selection.label} data-bottom-bar className={`${floating.bar} ${styles.bar}`}>
      <strong role="status">
        {isAll ? strings.selection.allSelected(count) : strings.selection.selected(ids.size)}
      </strong>
      {!isAll && ids.size < count && (
        <Button variant="subtle" size="compact-sm" onClick={selectAll}>
          {strings.selection.selectAll(count)}
        </Button>
      )}
      <Button variant="subtle" color="gray" size="compact-sm" onClick={clear}>
        {strings.selection.clear}
      </Button>
      <div className={styles.barActions}>
        <CompareButton project={project} selection={selection} />
        <ExportMenu
          project={project}
          filter={filter}
          columns={columns}
          market={market}
          label={strings.selection.export}
          size="xs"
        />
        <WriteButton
          target={{ project, count: isAll ? count : ids.size, products: { filter }, market }}
          size="xs"
        />
        {canWrite && (
          <Button size="xs" leftSection={<Icon name="pencil" size={15} />} onClick={edit}>
            {strings.selection.edit}
          </Button>
        )}
      </div>
    </section>
  )
}
