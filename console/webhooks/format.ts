import type { Webhook } from '../wire.ts'
import { strings } from './strings.ts'

export function typesText(types: Webhook['types']): string {
  return types === null ? strings.facts.allEvents : types.join(', ')
}

const units = [
  { unit: 'second', seconds: 60, length: 1 },
  { unit: 'minute', seconds: 3_600, length: 60 },
  { unit: 'hour', seconds: 86_400, length: 3_600 },
  { unit: 'day', seconds: Number.POSITIVE_INFINITY, length: 86_400 },
] as const

export function lagText(seconds: number): string {
  if (seconds < 1) return strings.facts.noLag
  const { unit, length } = units.find((one) => seconds < one.seconds) ?? units[3]
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.floor(seconds / length),
  )
}

/** The error with a capital letter. `HTTP 500` reads "Returned 500". */
export function errorText(error: string): string {
  const text = error.replace(/^HTTP (\d{3})$/, (_, status) => strings.facts.responded(status))
  return text.charAt(0).toUpperCase() + text.slice(1)
}
