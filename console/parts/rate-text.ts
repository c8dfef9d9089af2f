import type { RateLimit } from '../wire.ts'

export function rateText(limit: RateLimit | null): string {
  if (limit === null) return 'No limit'
  const { requests_per_second, burst } = limit
  return `${requests_per_second.toLocaleString('en')} requests a second, ${burst.toLocaleString('en')} at once`
}
