import { strings } from '../strings.ts'

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const dayOnly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
// Part of an English sentence.
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const steps = [
  { unit: 'second', seconds: 60 },
  { unit: 'minute', seconds: 3_600 },
  { unit: 'hour', seconds: 86_400 },
  { unit: 'day', seconds: 2_592_000 },
] as const
const lengths = { minute: 60, hour: 3_600, day: 86_400 }

type Props = {
  at: string
  /** Whether a date needs "on" before it. */
  isInSentence?: boolean
}

/** A point in time: relative if near, otherwise a date; exact on hover. */
export function RelativeTime({ at, isInSentence = false }: Props) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={full.format(date)}>
      {inWords(date, isInSentence)}
    </time>
  )
}

function inWords(date: Date, isInSentence: boolean): string {
  const seconds = (date.getTime() - Date.now()) / 1_000
  const step = steps.find((candidate) => Math.abs(seconds) < candidate.seconds)
  if (step === undefined) {
    const day = dayOnly.format(date)
    return isInSentence ? strings.relativeTime.on(day) : day
  }
  if (step.unit === 'second') return strings.relativeTime.now
  const count = seconds / lengths[step.unit]
  // Round up, so that something that ends in seven days shows "in 7 days".
  return relative.format(count > 0 ? Math.round(count) : Math.trunc(count), step.unit)
}

/** A calendar day, YYYY-MM-DD. */
export function dayText(day: string): string {
  return dayOnly.format(new Date(`${day}T12:00:00`))
}
