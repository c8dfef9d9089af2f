import { Button } from '@mantine/core'
import type { Page } from '../../wire.ts'
import { strings } from '../strings.ts'
import styles from './pager.module.css'

type Props = { page: number; pageSize: number; data: Page<unknown>; go: (page: number) => void }

export function Pager({ page, pageSize, data, go }: Props) {
  const last = Math.max(1, Math.ceil(data.count / pageSize))
  if (last === 1) return null
  const first = (page - 1) * pageSize + 1
  return (
    <nav aria-label={strings.list.pages} className={styles.pager}>
      <span className="tabular">
        {strings.list.range(first, Math.min(data.count, first + pageSize - 1), data.count)}
      </span>
      <Button variant="default" size="xs" disabled={data.previous === null} onClick={() => go(page - 1)}>
        {strings.list.previous}
      </Button>
      <Button variant="default" size="xs" disabled={data.next === null} onClick={() => go(page + 1)}>
        {strings.list.next}
      </Button>
    </nav>
  )
}
