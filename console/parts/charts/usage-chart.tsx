import type { DayOfUse } from '../../wire.ts'
import { numberText } from '../format/number-text.ts'
import { dayText } from '../format/relative-time.tsx'
import { strings } from '../strings.ts'
import styles from './day-chart.module.css'
import { DayChart } from './day-chart.tsx'

/** Requests per day. */
export function UsageChart({ usage }: { usage: DayOfUse[] }) {
  const total = usage.reduce((sum, { requests }) => sum + requests, 0)
  if (total === 0) return <p className={styles.none}>{strings.usage.none(usage.length)}</p>
  return (
    <DayChart
      days={usage.map(({ day, requests }) => ({ day, counts: [requests] }))}
      series={[{ label: strings.usage.requests }]}
      caption={strings.usage.caption}
      summary={(pointed) => {
        const requests = pointed?.counts[0] ?? total
        return (
          <span>
            <strong>{numberText(requests)}</strong> {strings.usage.requestsWord(requests)}{' '}
            {pointed === undefined
              ? strings.usage.inLastDays(usage.length)
              : strings.usage.onDay(dayText(pointed.day))}
          </span>
        )
      }}
    />
  )
}
