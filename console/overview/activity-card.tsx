import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type CountedDay, DayChart, type Series } from '../parts/charts/day-chart.tsx'
import { numberText } from '../parts/format/number-text.ts'
import { dayText } from '../parts/format/relative-time.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import type { Activity } from '../wire.ts'
import { activityQuery } from './queries.ts'
import styles from './stock-and-activity.module.css'
import { strings } from './strings.ts'

const dayMilliseconds = 86_400_000
const startOf = (day: string) => `${day}T00:00:00Z`
const startAfter = (day: string) =>
  startOf(new Date(Date.parse(startOf(day)) + dayMilliseconds).toISOString().slice(0, 10))

/** The list filter for products created between two days. */
const createdIn = (from: string, to: string) => ({
  created_at__gte: startOf(from),
  created_at__lt: startAfter(to),
})
/** The list filter for older products that were last changed on the day. */
const changedOn = (day: string) => ({
  updated_at__gte: startOf(day),
  updated_at__lt: startAfter(day),
  created_at__lt: startOf(day),
})

type Props = { project: number; isReady: boolean }

/** Created and changed products per day, for the last 30 days. */
export function ActivityCard({ project, isReady }: Props) {
  const query = useQuery({ ...activityQuery(project), enabled: isReady })
  return (
    <Card title={strings.activity.title} lead={strings.activity.lead}>
      <div className={styles.chart}>
        <Loaded query={query} rows={8}>
          {(activity) => <ActivityChart project={project} activity={activity} />}
        </Loaded>
      </div>
    </Card>
  )
}

function ActivityChart({
  project,
  activity: { days, most_counted },
}: {
  project: number
  activity: Activity
}) {
  const counted: CountedDay[] = days.map(({ day, created, changed }) => ({ day, counts: [created, changed] }))
  const unknown = days.findLast(({ changed }) => changed === null)
  const to = (search: Record<string, string>, count: ReactNode) => (
    <Link to="/projects/$projectId/products" params={{ projectId: project }} search={search}>
      {count}
    </Link>
  )
  const series: [Series, Series] = [
    { label: strings.activity.created, link: (day, count) => to(createdIn(day, day), count) },
    { label: strings.activity.updated, link: (day, count) => to(changedOn(day), count) },
  ]
  return (
    <>
      <DayChart
        days={counted}
        series={series}
        caption={strings.activity.caption}
        summary={(pointed) => <Summary days={counted} pointed={pointed} />}
      />
      {unknown !== undefined && (
        <p className={styles.note}>{strings.activity.notCounted(most_counted, dayText(unknown.day))}</p>
      )}
    </>
  )
}

function Summary({ days, pointed }: { days: CountedDay[]; pointed: CountedDay | undefined }) {
  const shown = pointed === undefined ? days : [pointed]
  const total = (place: number) => shown.reduce((sum, { counts }) => sum + (counts[place] ?? 0), 0)
  return (
    <span>
      <strong>{numberText(total(0))}</strong> {strings.activity.createdAnd}{' '}
      <strong>{numberText(total(1))}</strong> {strings.activity.updatedWord}{' '}
      {pointed === undefined
        ? strings.activity.inLastDays(days.length)
        : strings.activity.onDay(dayText(pointed.day))}
    </span>
  )
}
