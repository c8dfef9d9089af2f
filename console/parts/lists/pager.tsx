import { Button } from '@mantine/core'
import type { Page } from '../../wire.ts'
import styles from './pager.module.css'

type Props = { page: number; pageSize: number; data: Page<unknown>; go: (page: number) => void }

export function Pager({ page, pageSize, data, go }: Props) {
  const last = Math.max(1, Math.ceil(data.count / pageSize))
  if (last === 1) return null
  const first = (page - 1) * pageSize + 1
  return (
    <nav aria-label="Pages" className={styles.pager}>
      <span className="tabular">
        {first}–{Math.min(data.count, first + pageSize - 1)} of {data.count.toLocaleString('en')}
      </span>
      <Button variant="default" size="xs" disabled={data.previous === null} onClick={() => go(page - 1)}>
        Previous
      </Button>
      <Button variant="default" size="xs" disabled={data.next === null} onClick={() => go(page + 1)}>
        Next
      </Button>
    </nav>
  )
}
