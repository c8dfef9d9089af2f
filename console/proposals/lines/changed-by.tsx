import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { splitField } from '../../../src/model/fields/field-paths.ts'
import { RelativeTime } from '../../parts/format/relative-time.tsx'
import { historyQuery } from '../../product/queries.ts'
import { strings } from '../strings.ts'
import styles from './line.module.css'

/** Who changed the field last, if it is one of the latest changes of the product. */
export function ChangedBy({ product, field }: { product: number; field: string }) {
  const projectId = Number(useParams({ strict: false }).projectId)
  const { data } = useQuery({ ...historyQuery(projectId, product, 1), staleTime: 60_000 })
  const [group, name] = splitField(field)
  const change = data?.results.find(({ after }) => {
    const value = after[group]
    return name === undefined ? value !== undefined : Object.hasOwn(Object(value), name)
  })
  if (change === undefined) return null
  return (
    <span className={styles.group}>
      {strings.line.changedBy} <bdi>{change.actor}</bdi>, <RelativeTime at={change.changed_at} />
    </span>
  )
}
