import { numberText } from '../parts/format/number-text.ts'

export const strings = {
  title: 'Notifications',
  bell: (unread: number) => (unread === 0 ? 'Notifications' : `Notifications, ${numberText(unread)} unread`),
  number: (unread: number) => (unread > 99 ? '99+' : numberText(unread)),
}
