import { secondsByLetter } from '../../platform/units.ts'

/** `30m`, `24h` or `7d` in seconds. */
export function readOverlap(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * (secondsByLetter[unit] ?? 0)
}
