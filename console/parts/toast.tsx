import { Button } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'
import { ProgressBar } from './charts/progress-bar.tsx'
import { focusContent } from './dialogs/focus-back.ts'
import { strings } from './strings.ts'
import styles from './toast.module.css'

type Toast = {
  message: string
  tone?: 'accent' | 'yellow' | 'red'
  /** One thing to do about it, such as Undo; the toast then stays longer, and goes when it is done. */
  action?: { label: string; run: () => unknown }
  /** Of something that goes on: the toast stays until it is updated. */
  progress?: { done: number; total: number }
}

const secondsWithAction = 30

/** A short word beside the page that outlives it. The answer updates it: "Taking back…", then "Taken back". */
export function showToast(toast: Toast): (next: Toast) => void {
  const id = notifications.show(data(toast))
  return (next) => notifications.update({ ...data(next, id), id })
}

/** That something was done, and the way back. */
export function sayUndoable(message: string, undo: () => unknown, label = strings.notification.undo): void {
  showToast({ message, action: { label, run: undo } })
}

function data({ message, tone = 'accent', action, progress }: Toast, known?: string): NotificationData {
  const id = known ?? crypto.randomUUID()
  const act = action && {
    ...action,
    run: () => {
      notifications.hide(id)
      // The focus would go with the button.
      focusContent()
      action.run()
    },
  }
  return {
    id,
    message: <ToastBody message={message} action={act} progress={progress} />,
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
