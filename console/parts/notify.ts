import { notifications } from '@mantine/notifications'
import { strings } from './strings.ts'

/** Reports an error if no dialog or form can show it. */
export function notifyError(error: Error): void {
  notifications.show({
    title: strings.problem.title,
    message: error.message,
    color: 'red',
    role: 'alert',
    closeButtonProps: { 'aria-label': strings.notification.dismiss },
  })
} /** Reports success, also to screen readers. */
export function notifySuccess(message: string): void {
  notifications.show({
    message,
    color: 'accent',
    role: 'status',
    closeButtonProps: { 'aria-label': strings.notification.dismiss },
  })
}

/** Reports that an action is not possible. */
export function notifyWarning(message: string): void {
  notifications.show({
    message,
    color: 'yellow',
    role: 'alert',
    closeButtonProps: { 'aria-label': strings.notification.dismiss },
  })
}
