import { Button, Popover } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Icon } from '../parts/icons.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { savedViewsQuery } from './queries.ts'
import styles from './saved-views.module.css'
import { strings } from './strings.ts'
import { type SavedViews, useSavedViews } from './use-saved-views.ts'
import { type ViewDialog, ViewDialogs } from './view-dialogs.tsx'
import { ViewList } from './view-list.tsx'

type Props = { project: number; columns: readonly string[] }

/** The saved views, the current one, and whether it has unsaved changes. */
export function ViewsMenu({ project, columns }: Props) {
  const views = useSavedViews(project, columns)
  const [opened, setOpened] = useState(false)
  const [dialog, setDialog] = useState<ViewDialog>()
  const button = useRef<HTMLButtonElement>(null)
  const { current, update } = views
  const open = (next: ViewDialog) => {
    // The dialog returns the focus to this button, because the menu is closed by then.
    button.current?.focus()
    setOpened(false)
    setDialog(next)
  }
  return (
    <>
      <Popover
        opened={opened}
        onChange={setOpened}
        position="bottom-start"
        width={340}
        trapFocus
        returnFocus
        shadow="md"
        withRoles={false}
      >
        <Popover.Target>
          <Button
            ref={button}
            variant="default"
            leftSection={<Icon name="eye" size={16} />}
            rightSection={<Icon name="down" size={14} />}
            aria-haspopup="dialog"
            aria-expanded={opened}
            className={styles.button ?? ''}
            onClick={() => setOpened((was) => !was)}
          >
            <CurrentName current={current} />
          </Button>
        </Popover.Target>
        <Popover.Dropdown role="dialog" aria-label={strings.menu.label} className={styles.dropdown ?? ''}>
          <MenuBody views={views} open={open} close={() => setOpened(false)} />
        </Popover.Dropdown>
      </Popover>
      {current?.isChanged && current.view.can_change && (
        <Button variant="light" loading={update.isPending} onClick={() => update.mutate(current.view)}>
          {strings.menu.update}
        </Button>
      )}
      {dialog !== undefined && (
        <ViewDialogs views={views} dialog={dialog} close={() => setDialog(undefined)} />
      )}
    </>
  )
}

function CurrentName({ current }: Pick<SavedViews, 'current'>) {
  if (current === undefined) return strings.menu.button
  return (
    <>
      <span className="unseen">{strings.menu.current} </span>
      <bdi className={styles.name}>{current.view.name}</bdi>
      {current.isChanged && <span className={styles.changed}> {strings.menu.changed}</span>}
    </>
  )
}

type BodyProps = { views: SavedViews; open: (dialog: ViewDialog) => void; close: () => void }

function MenuBody({ views: { project, current }, open, close }: BodyProps) {
  // Others share and change views in the meantime, so each opening asks again.
  const query = useQuery({ ...savedViewsQuery(project), staleTime: 0 })
  return (
    <>
      <Loaded query={query} rows={3}>
        {(all) => (
          <>
            <ViewList project={project} views={all} current={current?.view} open={open} close={close} />
            {all.length === 0 && <p className={styles.hint}>{strings.menu.none}</p>}
          </>
        )}
      </Loaded>
      <Button
        fullWidth
        variant="default"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => open({ action: 'save' })}
      >
        {strings.menu.save}
      </Button>
    </>
  )
}
