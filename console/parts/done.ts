import { notifications } from '@mantine/notifications'

/** A short word that it worked; read out by screen readers. */
export function sayDone(message: string): void {
  notifications.show({
    message,
    color: 'accent',
    role: 'status',
    closeButtonProps: { 'aria-label': 'Dismiss' },
  })
}
