import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { numberText } from '../parts/words/number-text.ts'
import styles from './count-bars.module.css'
import { strings } from './strings.ts'

export type CountBar = {
  label: string
  /** More about it, on hover. */
  hint?: string
  /** The products that are counted, by the parameters of their list. */
  filter: Record<string, string>
  /** Undefined while it loads. */
  count: number | undefined
  /** From 0 to 1. */
  share: number
  /** Whether the products shall be gone through one by one, too. */
  isWork?: boolean
}

/** Counts below each other, each with a bar and the way to its products. */
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

/** As high as the bars will be. */
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
