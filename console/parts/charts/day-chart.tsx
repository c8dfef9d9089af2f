import { type ReactNode, useState } from 'react'
import { numberText } from '../format/number-text.ts'
import { dayText } from '../format/relative-time.tsx'
import { strings } from '../strings.ts'
import styles from './day-chart.module.css'
import { scaleOf } from './scale.ts'

/** One counted quantity. */
export type Series = {
  /** The column header. */
  label: string
  /** Links a count to the products of the day. Default: no link. */
  link?: (day: string, count: ReactNode) => ReactNode
}

/** A day with one number per series; null if not counted. */
export type CountedDay = { day: string; counts: readonly (number | null)[] }

type Props = {
  days: readonly CountedDay[]
  series: readonly [Series, ...Series[]]
  /** The table caption for screen readers. */
  caption: string
  /** The text above the bars: for the hovered day, or for all days. */
  summary: (pointed: CountedDay | undefined) => ReactNode
}

/** Numbers per day as bars, with a table as an alternative. */
export function DayChart({ days, series, caption, summary }: Props) {
  const [pointed, setPointed] = useState<CountedDay>()
  return (
    <figure className={styles.figure}>
      <figcaption>
        {summary(pointed)}
        {series.length > 1 && <Legend series={series} />}
      </figcaption>
      <Plot days={days} point={setPointed} />
      <div className={styles.axis} aria-hidden="true">
        <span>{days[0] && dayText(days[0].day)}</span>
        <span>{strings.chart.today}</span>
      </div>
      <details className={styles.details}>
        <summary>{strings.chart.table}</summary>
        <DayTable days={days} series={series} caption={caption} />
      </details>
    </figure>
  )
}

function Legend({ series }: Pick<Props, 'series'>) {
  return (
    <span className={styles.legend} aria-hidden="true">
      {series.map(({ label }, place) => (
        <span key={label} data-series={place}>
          {label}
        </span>
      ))}
    </span>
  )
}

const sum = (counts: CountedDay['counts']) => counts.reduce<number>((total, count) => total + (count ?? 0), 0)

type PlotProps = { days: readonly CountedDay[]; point: (day: CountedDay | undefined) => void }

/** Stacked bars. */
function Plot({ days, point }: PlotProps) {
  const top = scaleOf(days.map(({ counts }) => sum(counts)))
  return (
    <div className={styles.plot} aria-hidden="true" onPointerLeave={() => point(undefined)}>
      <span className={styles.line} data-at="top">
        {shortly(top)}
      </span>
      <span className={styles.line} data-at="middle">
        {shortly(top / 2)}
      </span>
      {days.map((day) => (
        <Slot key={day.day} day={day} top={top} point={point} />
      ))}
    </div>
  )
}

function Slot({ day, top, point }: { day: CountedDay; top: number; point: PlotProps['point'] }) {
  const total = sum(day.counts)
  const isCut = total > top
  return (
    <div className={styles.slot} onPointerEnter={() => point(day)} data-cut={isCut || undefined}>
      {isCut && <span className={styles.cut}>{shortly(total)}</span>}
      {day.counts.map((count, place) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a series is its place
          key={place}
          className={styles.bar}
          data-series={place}
          style={{ height: `${(100 * (count ?? 0)) / Math.max(top, total)}%` }}
        />
      ))}
    </div>
  )
}

const short = new Intl.NumberFormat(undefined, { notation: 'compact' })
/** There is room for only a few digits next to the bars. */
const shortly = (value: number) => (value < 10_000 ? numberText(value) : short.format(value))

function DayTable({ days, series, caption }: Omit<Props, 'summary'>) {
  return (
    <table className={styles.table}>
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{strings.chart.day}</th>
          {series.map(({ label }) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ day, counts }) => (
          <tr key={day}>
            <th scope="row">{dayText(day)}</th>
            {series.map(({ label, link }, place) => (
              <td key={label}>{cell(day, counts[place] ?? null, link)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function cell(day: string, count: number | null, link: Series['link']): ReactNode {
  if (count === null) return <span title={strings.chart.notCounted}>–</span>
  return link === undefined || count === 0 ? numberText(count) : link(day, numberText(count))
}
