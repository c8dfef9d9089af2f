import { notifications } from '@mantine/notifications'
import { strings } from './strings.ts'

/** That it did not work, where no dialog or form is open to say so. */
export function sayFailed(error: Error): void {
  notifications.show({
    title: strings.problem.title,
    message: error.message,
    color: 'red',
    role: 'alert',
    closeButtonProps: { 'aria-label': strings.notification.dismiss },
  })
} /** A short word that it worked; read out by screen readers. */
export function sayDone(message: string): void {
  notifications.show({
    message,
    color: 'accent',
    role: 'status',
    closeButtonProps: { 'aria-label': strings.notification.dismiss },
  })
}

/** Something that the user asked for is not possible. */
export function notifyWarning(message: string): void {
  notifications.show({
    message,
    color: 'yellow',
    role: 'alert',
    closeButtonProps: { 'aria-label': strings.notification.dismiss },
  })
}
