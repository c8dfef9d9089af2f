import type { Webhook } from '../wire.ts'

export const stateWords = {
  enabled: { text: 'Enabled', tone: 'accent' },
  failing: { text: 'Failing', tone: 'yellow' },
  disabled: { text: 'Disabled', tone: 'red' },
} as const

/** Why nothing is delivered, and what to do. */
export const reasonWords: Record<NonNullable<Webhook['disabled_reason']>, string> = {
  gone: 'The receiver answered 410: it wants no more events.',
  failing: 'Nothing was delivered for five days.',
  secret_unreadable: 'Its secret cannot be read any more. Rotate the secret: that enables it again.',
  by_hand: 'Somebody disabled it. Enable it when the receiver is ready.',
  restored: 'The database came out of a backup. Enable it when events may leave again.',
}

export function typesText(types: Webhook['types']): string {
  return types === null ? 'All events' : types.join(', ')
}

const units = [
  { unit: 'second', seconds: 60, length: 1 },
  { unit: 'minute', seconds: 3_600, length: 60 },
  { unit: 'hour', seconds: 86_400, length: 3_600 },
  { unit: 'day', seconds: Number.POSITIVE_INFINITY, length: 86_400 },
] as const

/** How far a webhook is behind the changes of the project. */
export function lagText(seconds: number): string {
  if (seconds < 1) return 'None'
  const { unit, length } = units.find((one) => seconds < one.seconds) ?? units[3]
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.floor(seconds / length),
  )
}

/** What went wrong, as a sentence begins; an answer by its status. */
export function errorText(error: string): string {
  const text = error.replace(/^HTTP (?=\d{3}$)/, 'answered ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** An address without what everybody's begins with. */
export function shortAddress(url: string): string {
  return url.replace(/^https:\/\//, '').replace(/\/$/, '')
}
