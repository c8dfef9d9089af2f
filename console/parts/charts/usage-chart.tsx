import type { DayOfUse } from '../../wire.ts'
import { dayText } from '../words/moment.tsx'
import { numberText } from '../words/number-text.ts'
import { requestsWord } from '../words/rate-text.ts'
import styles from './day-chart.module.css'
import { DayChart } from './day-chart.tsx'

/** Requests per day. */
export function UsageChart({ usage }: { usage: DayOfUse[] }) {
  const total = usage.reduce((sum, { requests }) => sum + requests, 0)
  if (total === 0)
    return (
      <p className={styles.none}>
        No requests in the last {usage.length} days. Calls of the API show here, day by day.
      </p>
    )
  return (
    <DayChart
      days={usage.map(({ day, requests }) => ({ day, counts: [requests] }))}
      series={[{ label: 'Requests' }]}
      caption="Requests per day"
      summary={(pointed) => {
        const requests = pointed?.counts[0] ?? total
        return (
          <span>
            <strong>{numberText(requests)}</strong> {requestsWord(requests)}{' '}
            {pointed === undefined ? `in the last ${usage.length} days` : `on ${dayText(pointed.day)}`}
          </span>
        )
      }}
    />
  )
}
