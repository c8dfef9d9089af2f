import { strings } from '../strings.ts'
import styles from './progress-bar.module.css'

type Props = { label: string; done: number; total: number }

/** Progress as a bar and as text. */
export function ProgressBar({ label, done, total }: Props) {
  const words = strings.progress.of(done, total)
  return (
    <div className={styles.progress}>
      <progress aria-label={label} aria-valuetext={words} value={done} max={Math.max(total, 1)} />
      <span className="tabular">
        {label} {words}
      </span>
    </div>
  )
}
