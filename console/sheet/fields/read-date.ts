import { isDate, isDay } from '../../../src/model/attributes/date-value.ts'

/** The order in which a locale writes day, month and year. */
function dateOrder(locale?: string): string[] {
  const parts = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'numeric', day: 'numeric' })
  return parts
    .formatToParts(new Date(2026, 0, 31))
    .flatMap(({ type }) => (['day', 'month', 'year'].includes(type) ? [type] : []))
}

const own = dateOrder()

/** A day as 2026-01-31 or in the order of the locale with a four-digit year, or a time in UTC. */
export function readDate(text: string, order = own): string | undefined {
  const cell = text.trim()
  if (isDate(cell)) return cell
  const numbers = cell.split(/\D+/).filter(Boolean)
  if (numbers.length !== 3 || !/^\d+(\D{1,2})\d+\D{1,2}\d+\.?$/.test(cell)) return undefined
  // Also 2026/1/31, whatever the order of the locale.
  const names = numbers[0]?.length === 4 ? ['year', 'month', 'day'] : order
  const of = (name: string) => numbers[names.indexOf(name)] ?? ''
  const day = `${of('year')}-${of('month').padStart(2, '0')}-${of('day').padStart(2, '0')}`
  return isDay(day) ? day : undefined
}

const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const shownTime = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** A day in the format of the locale. Times are in UTC, as they are stored. */
export function dateText(value: string): string {
  if (!isDate(value)) return value
  return isDay(value)
    ? shown.format(new Date(`${value}T00:00:00Z`))
    : `${shownTime.format(new Date(value))} UTC`
}

export const dateExample = new Intl.DateTimeFormat().format(new Date(2026, 0, 31))
