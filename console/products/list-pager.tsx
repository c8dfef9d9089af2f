import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import styles from './products.module.css'
import { strings } from './strings.ts'

type Props = {
  count: number
  page: number
  pageSize: number
  sizes: string[]
  go: (page: number) => void
  resize: (pageSize: string) => void
}

export function ListPager({ count, page, pageSize, sizes: offered, go, resize }: Props) {
  const last = Math.max(1, Math.ceil(count / pageSize))
  const first = (page - 1) * pageSize + 1
  const sizes = offered.includes(String(pageSize)) ? offered : [String(pageSize), ...offered]
  return (
    <nav aria-label={strings.pager.label} className={styles.pager}>
      <span className={styles.range}>
        {strings.pager.range(first, Math.min(count, first + pageSize - 1), count)}
      </span>
      <NativeSelect
        aria-label={strings.pager.pageSize}
        size="xs"
        data={sizes.map((size) => ({ value: size, label: strings.pager.rows(size) }))}
        value={String(pageSize)}
        onChange={({ currentTarget }) => resize(currentTarget.value)}
      />
      {last > 1 && (
        <>
          <Button variant="default" size="xs" disabled={page <= 1} onClick={() => go(page - 1)}>
            {strings.pager.previous}
          </Button>
          <PageField page={page} last={last} go={go} />
          <Button variant="default" size="xs" disabled={page >= last} onClick={() => go(page + 1)}>
            {strings.pager.next}
          </Button>
        </>
      )}
    </nav>
  )
}

function PageField({ page, last, go }: { page: number; last: number; go: (page: number) => void }) {
  const [text, setText] = useState(String(page))
  useEffect(() => setText(String(page)), [page])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = Math.min(last, Math.max(1, Math.trunc(Number(text))))
    if (Number.isNaN(wanted)) setText(String(page))
    else if (wanted !== page) go(wanted)
  }
  return (
    <form onSubmit={submit} className={styles.pageField}>
      <TextInput
        aria-label={strings.pager.page(last)}
        size="xs"
        inputMode="numeric"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={() => setText(String(page))}
      />
      <span>{strings.pager.of(last)}</span>
    </form>
  )
}
