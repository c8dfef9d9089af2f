import { Button } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { stringifySearch } from '../../plain-search.ts'
import { strings } from '../strings.ts'
import dialog from './dialogs.module.css'
import { ActionDialog } from './dialogs.tsx'

type Props = {
  isDirty: boolean
  /** Whether the edited object depends on the query string, not only on the path. */
  isOfSearch?: boolean
  /** Whether the changes survive a change of the query string. */
  isKept?: (search: Record<string, unknown>) => boolean
  /** Runs before the page is left without saving. */
  discard?: () => void
  title?: string
  text?: string
  action?: string
}

/** Asks before unsaved changes are lost through a link, the back button or closing the page. */
export function LeaveDialog({
  isDirty,
  isOfSearch = false,
  isKept = () => true,
  discard = () => {},
  title = strings.leave.title,
  text = strings.leave.text,
  action = strings.leave.leave,
}: Props) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty &&
      (current.pathname !== next.pathname ||
        !isKept(next.search as Record<string, unknown>) ||
        (isOfSearch && stringifySearch(current.search) !== stringifySearch(next.search))),
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ActionDialog title={title} isPending={false} close={blocker.reset}>
      <div className={dialog.body}>
        <div>{text}</div>
        <div className={dialog.buttons}>
          <Button variant="default" onClick={blocker.reset} data-autofocus>
            {strings.leave.stay}
          </Button>
          <Button
            color="red"
            onClick={() => {
              discard()
              blocker.proceed()
            }}
          >
            {action}
          </Button>
        </div>
      </div>
    </ActionDialog>
  )
}
