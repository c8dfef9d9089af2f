import { UnstyledButton } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { Icon } from '../../parts/icons.tsx'
import styles from '../product-table.module.css'
import { strings } from '../strings.ts'
import { columnLabel } from './column-names.ts'
import { columnField } from './columns.tsx'
import { narrowest, widest } from './stored-columns.ts'

type Props = {
  column: string
  width: number
  setWidth: (column: string, width: number) => void
  ordering: string
  sort: (ordering: string) => void
}

/** A click sorts by the column; a second click reverses the order. */
export function ColumnHeader({ column, width, setWidth, ordering, sort }: Props) {
  const { ordering: field, isNumber, rank } = columnField(column)
  const [first = ''] = ordering.split(',')
  const direction =
    field === undefined || first.replace(/^-/, '') !== field
      ? undefined
      : first[0] === '-'
        ? 'descending'
        : 'ascending'
  const label = <bdi>{columnLabel(column)}</bdi>
  return (
    <th
      scope="col"
      aria-sort={direction}
      data-rank={rank}
      className={[column === 'sku' && styles.sku, isNumber && styles.number].filter(Boolean).join(' ')}
    >
      {field === undefined ? (
        <span className={styles.plainHeader}>{label}</span>
      ) : (
        <UnstyledButton
          className={styles.sort}
          onClick={() => sort(direction === 'ascending' ? `-${field}` : field)}
        >
          {label}
          <span className={styles.arrow} data-direction={direction}>
            <Icon name={direction === 'descending' ? 'down' : 'up'} size={13} />
          </span>
        </UnstyledButton>
      )}
      <Resizer column={column} width={width} setWidth={setWidth} />
    </th>
  )
}

const step = 16
const within = (width: number) => Math.min(widest, Math.max(narrowest, Math.round(width)))

/** A flexible column is wider than its least width. */
const widthNow = (resizer: Element) => (resizer.parentElement as HTMLElement).offsetWidth

/** The right edge of a header, which the user drags or moves with the arrow keys. */
function Resizer({ column, width, setWidth }: Pick<Props, 'column' | 'width' | 'setWidth'>) {
  const begin = useRef<{ x: number; width: number }>(undefined)
  const move = (event: PointerEvent) => {
    if (begin.current !== undefined)
      setWidth(column, within(begin.current.width + event.clientX - begin.current.x))
  }
  const press = (event: KeyboardEvent) => {
    const change = { ArrowLeft: -step, ArrowRight: step }[event.key]
    if (change === undefined) return
    event.preventDefault()
    setWidth(column, within(widthNow(event.currentTarget) + change))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is no <hr>
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={strings.columns.width(columnLabel(column))}
      aria-valuenow={width}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      tabIndex={0}
      className={styles.resizer}
      onKeyDown={press}
      onPointerDown={(event) => {
        begin.current = { x: event.clientX, width: widthNow(event.currentTarget) }
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={move}
      onPointerUp={() => {
        begin.current = undefined
      }}
    />
  )
}
