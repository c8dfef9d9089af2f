import type { RateLimit } from '../../wire.ts'

export function rateText(limit: RateLimit | null): string {
  if (limit === null) return 'No limit'
  const { requests_per_second, burst } = limit
  return `${requests_per_second.toLocaleString('en')} ${requestsWord(requests_per_second)} a second, ${burst.toLocaleString('en')} at once`
}

export function requestsWord(count: number): string {
  return count === 1 ? 'request' : 'requests'
}
