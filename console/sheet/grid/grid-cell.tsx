import { memo, type ReactNode } from 'react'
import { strings } from '../strings.ts'
import styles from './sheet.module.css'

type Props = {
  id: string
  row: number
  column: number
  /** Columns before the first cell. */
  offset: number
  left: number
  width: number
  isSticky: boolean
  text: string
  isHint: boolean
  isNumber: boolean
  isActive: boolean
  isSelected: boolean
  isChanged: boolean
  isReadOnly: boolean
  error: string | undefined
  /** The value that someone else saved. */
  theirs: string | undefined
  /** The editor, or another control of the cell. */
  children?: ReactNode
}

/** Memoized, because a key changes two cells of hundreds. */
export const GridCell = memo(function GridCell(props: Props) {
  const { id, row, column, text, error, theirs, isActive, isReadOnly, children } = props
  const note = error ?? theirs
  const noteId = note === undefined ? undefined : `${id}-note`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot have virtual rows and columns
    <div
      id={id}
      role="gridcell"
      tabIndex={isActive ? 0 : -1}
      aria-colindex={column + props.offset + 1}
      aria-selected={props.isSelected}
      aria-readonly={isReadOnly || undefined}
      aria-invalid={error !== undefined || undefined}
      aria-describedby={noteId}
      data-cell={`${row}:${column}`}
      data-active={isActive || undefined}
      data-changed={props.isChanged || undefined}
      data-conflict={theirs !== undefined || undefined}
      data-number={props.isNumber || undefined}
      data-sticky={props.isSticky || undefined}
      data-editing={children !== undefined || undefined}
      className={styles.cell}
      style={props.isSticky ? { width: props.width } : { left: props.left, width: props.width }}
    >
      {children ?? (
        <>
          <span className={props.isHint ? styles.hint : styles.value} title={text}>
            <bdi>{theirs === undefined ? text : `${strings.grid.mine}: ${text || strings.grid.empty}`}</bdi>
          </span>
          {note !== undefined && (
            <span id={noteId} className={error === undefined ? styles.theirs : styles.error}>
              <bdi>{error ?? `${strings.grid.theirs}: ${theirs || strings.grid.empty}`}</bdi>
            </span>
          )}
        </>
      )}
    </div>
  )
})
