import { useQuery } from '@tanstack/react-query'
import { bytesText } from '../parts/format/bytes-text.ts'
import styles from './media.module.css'
import { storageQuery } from './queries.ts'
import { strings } from './strings.ts'

/** The share from which the page warns. */
const almostFull = 0.9

/** The storage of the files, and the quota of the plan. */
export function StorageUsed({ project }: { project: number }) {
  const { data } = useQuery(storageQuery(project))
  const { used_bytes: bytes = 0, quota_bytes: most = null } = data ?? {}
  const isAlmostFull = most !== null && bytes > most * almostFull
  return (
    <div className={styles.storage} data-full={isAlmostFull}>
      {most !== null && (
        <progress aria-label={strings.storage.label} value={Math.min(bytes, most)} max={Math.max(most, 1)} />
      )}
      <span className="tabular">
        {data === undefined
          ? '\u00a0'
          : most === null
            ? strings.storage.used(bytesText(bytes))
            : strings.storage.of(bytesText(bytes), bytesText(most))}
      </span>
      {isAlmostFull && <strong>{strings.storage.almostFull}</strong>}
    </div>
  )
}
