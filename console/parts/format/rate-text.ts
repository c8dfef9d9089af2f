import type { RateLimit } from '../../wire.ts'
import { strings } from '../strings.ts'

export function rateText(limit: RateLimit | null): string {
  if (limit === null) return strings.rate.none
  const { requests_per_second, burst } = limit
  return strings.rate.limit(requests_per_second, burst)
}
