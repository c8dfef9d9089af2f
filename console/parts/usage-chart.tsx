import { useState } from 'react'
import type { DayOfUse } from '../wire.ts'
import { dayText } from './moment.tsx'
import { requestsWord } from './rate-text.ts'
import styles from './usage-chart.module.css'

/** Requests per day as bars, and as a table for whoever prefers or needs one. */
export function UsageChart({ usage }: { usage: DayOfUse[] }) {
  const [pointed, setPointed] = useState<DayOfUse>()
  const total = usage.reduce((sum, { requests }) => sum + requests, 0)
  if (total === 0)
    return (
      <p className={styles.none}>
        No requests in the last {usage.length} days. Calls of the API show here, day by day.
      </p>
    )
  return (
    <figure className={styles.figure}>
      <figcaption>
        {pointed === undefined ? (
          <>
            <strong>{total.toLocaleString('en')}</strong> {requestsWord(total)} in the last {usage.length}{' '}
            days
          </>
        ) : (
          <>
            <strong>{pointed.requests.toLocaleString('en')}</strong> {requestsWord(pointed.requests)} on{' '}
            {dayText(pointed.day)}
          </>
        )}
      </figcaption>
      <Plot usage={usage} point={setPointed} />
      <div className={styles.axis} aria-hidden="true">
        <span>{usage[0] && dayText(usage[0].day)}</span>
        <span>Today</span>
      </div>
      <details className={styles.details}>
        <summary>Show as a table</summary>
        <UsageTable usage={usage} />
      </details>
    </figure>
  )
}

function Plot({ usage, point }: { usage: DayOfUse[]; point: (day: DayOfUse | undefined) => void }) {
  const top = roundUp(Math.max(...usage.map(({ requests }) => requests), 4))
  return (
    <div className={styles.plot} aria-hidden="true" onPointerLeave={() => point(undefined)}>
      <span className={styles.line} data-at="top">
        {top.toLocaleString('en')}
      </span>
      <span className={styles.line} data-at="middle">
        {(top / 2).toLocaleString('en')}
      </span>
      {usage.map((day) => (
        <div key={day.day} className={styles.slot} onPointerEnter={() => point(day)}>
          <div className={styles.bar} style={{ height: `${(100 * day.requests) / top}%` }} />
        </div>
      ))}
    </div>
  )
}

function UsageTable({ usage }: { usage: DayOfUse[] }) {
  return (
    <table className={styles.table}>
      <caption className="unseen">Requests per day</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Requests</th>
        </tr>
      </thead>
      <tbody>
        {usage.toReversed().map(({ day, requests }) => (
          <tr key={day}>
            <th scope="row">{dayText(day)}</th>
            <td>{requests.toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The next of 4, 10, 20, 40, 100, 200, …: a scale whose half is a whole number too. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return (
    [1, 2, 4, 10].map((step) => step * power).find((step) => step >= value && step % 2 === 0) ?? 10 * power
  )
}
