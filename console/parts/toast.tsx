import { Button } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'
import { ProgressBar } from './charts/progress-bar.tsx'
import { focusContent } from './dialogs/restore-focus.ts'
import { strings } from './strings.ts'
import styles from './toast.module.css'

type Toast = {
  message: string
  tone?: 'accent' | 'yellow' | 'red'
  /** An action such as Undo. Keeps the toast visible for longer. */
  action?: { label: string; run: () => unknown }
  /** Keeps the toast visible until it is updated. */
  progress?: { done: number; total: number }
}

const secondsWithAction = 30

/** A notification that outlives the page. Returns a function that updates it, such as from "Undoing" to "Undone". */
export function showToast(toast: Toast): (next: Toast) => void {
  const id = notifications.show(data(toast))
  return (next) => notifications.update({ ...data(next, id), id })
}

/** Reports success and offers to undo it. */
export function notifyUndoable(
  message: string,
  undo: () => unknown,
  label = strings.notification.undo,
): void {
  showToast({ message, action: { label, run: undo } })
}

function data({ message, tone = 'accent', action, progress }: Toast, known?: string): NotificationData {
  const id = known ?? crypto.randomUUID()
  const closing = action && {
    ...action,
    run: () => {
      notifications.hide(id)
      // The focus would be lost with the button.
      focusContent()
      action.run()
    },
  }
  return {
    id,
    message: <ToastBody message={message} action={closing} progress={progress} />,
    color: tone,
    role: tone === 'red' ? 'alert' : 'status',
    loading: progress !== undefined,
    autoClose: progress !== undefined ? false : action !== undefined ? secondsWithAction * 1_000 : 6_000,
    closeButtonProps: { 'aria-label': strings.notification.dismiss },
  }
}

type BodyProps = Pick<Toast, 'message'> & { [Key in 'action' | 'progress']: Toast[Key] | undefined }

function ToastBody({ message, action, progress }: BodyProps) {
  return (
    <div className={styles.toast}>
      {progress === undefined ? <span>{message}</span> : <ProgressBar label={message} {...progress} />}
      {action !== undefined && (
        <Button size="compact-sm" variant="default" onClick={action.run}>
          {action.label}
        </Button>
      )}
    </div>
  )
}
