import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { numberText } from '../parts/format/number-text.ts'
import styles from './count-bars.module.css'
import { strings } from './strings.ts'

export type CountBar = {
  label: string
  /** Shown on hover. */
  hint?: string
  /** List filter of the counted products. */
  filter: Record<string, string>
  /** Undefined while it loads. */
  count: number | undefined
  /** From 0 to 1. */
  share: number
  /** Whether to link to the worklist, too. */
  isWork?: boolean
}

/** Counts with bars, each linked to its products. */
export function CountBars({ project, bars }: { project: number; bars: CountBar[] }) {
  return (
    <ul className={styles.bars}>
      {bars.map(({ label, hint, filter, count, share, isWork = false }) => (
        <li key={label}>
          <Link
            to="/projects/$projectId/products"
            params={{ projectId: project }}
            search={filter}
            className={styles.link ?? ''}
          >
            <span title={hint}>{label}</span>
            <span className="tabular">{count === undefined ? '–' : numberText(count)}</span>
          </Link>
          <div className={styles.below}>
            <div className={styles.track} aria-hidden="true">
              <div className={styles.bar} style={{ width: `${100 * Math.min(share, 1)}%` }} />
            </div>
            {isWork && (
              <Link to="/projects/$projectId/worklist" params={{ projectId: project }} search={filter}>
                {strings.bars.fix}
                <span className="unseen"> {label}</span>
              </Link>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Placeholder with the height of the bars. */
export function BarsSkeleton({ rows, isWork = false }: { rows: number; isWork?: boolean }) {
  return (
    <div className={styles.bars} role="status">
      <span className="unseen">{strings.bars.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Skeleton key={row} className={styles.toCome} data-work={isWork || undefined} radius="sm" />
      ))}
    </div>
  )
}
