import { notifications } from '@mantine/notifications'

/** That it did not work, where no dialog or form is open to say so. */
export function sayFailed(error: Error): void {
  notifications.show({
    title: 'That did not work',
    message: error.message,
    color: 'red',
    role: 'alert',
    closeButtonProps: { 'aria-label': 'Dismiss' },
  })
}

/** A short word that it worked; read out by screen readers. */
export function sayDone(message: string): void {
  notifications.show({
    message,
    color: 'accent',
    role: 'status',
    closeButtonProps: { 'aria-label': 'Dismiss' },
  })
}
