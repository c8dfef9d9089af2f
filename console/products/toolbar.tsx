import { ActionIcon, Button } from '@mantine/core'
import { MarketSwitch } from '../markets/market-switch.tsx'
import { useOverlays } from '../parts/dialogs/overlays-context.ts'
import { Icon } from '../parts/icons.tsx'
import { SearchBox } from '../parts/lists/search-box.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { ViewsMenu } from '../saved-views/views-menu.tsx'
import { AddFilter } from './filters/filter-form.tsx'
import styles from './products.module.css'
import { strings } from './strings.ts'
import type { ViewState } from './use-view.ts'

export type Dialog = 'edit' | 'columns'

type Props = {
  state: ViewState
  columns: readonly string[]
  open: (dialog: Dialog) => void
}

export function Toolbar({ state: { project, view, change }, columns, open }: Props) {
  const { showKeys } = useOverlays()
  const { canWrite } = usePermissions()
  return (
    <div className={styles.toolbar}>
      <ViewsMenu project={project} columns={columns} />
      {view.edit === undefined && (
        <MarketSwitch value={view.market} choose={(market) => change({ market })} />
      )}
      <div className={styles.search}>
        <SearchBox
          label={strings.page.search}
          value={view.search}
          // Back returns to the list before the search, not to each pause in typing.
          search={(text, isFirst) => change({ search: text }, !isFirst)}
        />
      </div>
      <AddFilter project={project} apply={change} />
      <Button
        variant="default"
        leftSection={<Icon name="columns" size={16} />}
        onClick={() => open('columns')}
      >
        {strings.page.columns}
      </Button>
      {canWrite && view.market === undefined && <EditMode isOn={view.edit !== undefined} change={change} />}
      <ActionIcon
        variant="default"
        size={36}
        aria-label={strings.page.keys}
        className={styles.keysButton}
        onClick={showKeys}
      >
        <Icon name="keyboard" />
      </ActionIcon>
    </div>
  )
}

/** A button that stays pressed in edit mode. */
function EditMode({ isOn, change }: { isOn: boolean; change: ViewState['change'] }) {
  return (
    <Button
      variant={isOn ? 'filled' : 'default'}
      aria-pressed={isOn}
      leftSection={<Icon name={isOn ? 'check' : 'pencil'} size={16} />}
      onClick={() => change({ edit: isOn ? undefined : '1' })}
    >
      {isOn ? strings.sheet.done : strings.sheet.edit}
    </Button>
  )
}
