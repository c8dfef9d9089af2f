// biome-ignore-all lint/a11y/useSemanticElements: a table cannot have virtual rows and columns
// biome-ignore-all lint/a11y/useFocusableInteractive: the cells have the focus, not rows and titles

import { shownText } from '../fields/sheet-field.ts'
import { editAt, textAt } from '../model/edits.ts'
import { type Cell, isInside } from '../model/layout.ts'
import { type After, CellEditor } from './cell-editor.tsx'
import { GridCell } from './grid-cell.tsx'
import type { GridProps, VisibleColumn } from './grid-types.ts'
import styles from './sheet.module.css'

type Props = GridProps & {
  id: string
  row: number
  top: number
  visible: VisibleColumn[]
  finish: (text: string, after: After) => void
  cancel: () => void
}

export function GridRow({
  id,
  row,
  top,
  visible,
  layout,
  editing,
  sheet,
  titles,
  emptyCell,
  finish,
  cancel,
}: Props) {
  const offset = titles === undefined ? 0 : 1
  return (
    <div role="row" aria-rowindex={row + 2} className={styles.row} style={{ top }}>
      {titles !== undefined && (
        <div
          role="rowheader"
          aria-colindex={1}
          data-sticky
          className={styles.title}
          style={{ width: titles.width }}
        >
          <bdi>{titles.of(row)}</bdi>
        </div>
      )}
      {visible.map(({ index: column, start, size }) => {
        const cell = layout.at(row, column)
        const isActive = sheet.active.row === row && sheet.active.column === column
        return (
          <GridCell
            key={column}
            id={`${id}-${row}-${column}`}
            {...{ row, column, offset, isActive }}
            left={start}
            width={size}
            isSticky={titles === undefined && column === 0}
            isSelected={isInside(sheet.area, row, column)}
            {...shownCell(cell, editing)}
          >
            {cell === undefined ? (
              emptyCell?.(row, column)
            ) : isActive && sheet.editor !== undefined ? (
              <CellEditor
                key={`${cell.product.id} ${cell.field.field}`}
                field={cell.field}
                initial={initialText(cell, editing, sheet.editor)}
                commit={finish}
                cancel={cancel}
              />
            ) : undefined}
          </GridCell>
        )
      })}
    </div>
  )
}

/** Typing replaces a text or a number. In other editors, it selects. */
function initialText(
  cell: Cell,
  editing: Props['editing'],
  start: NonNullable<Props['sheet']['editor']>,
): string {
  const isReplaced = start === 'empty' && ['text', 'number'].includes(cell.field.codec.editor)
  return isReplaced ? '' : textAt(editing, cell)
}

function shownCell(cell: Cell | undefined, editing: Props['editing']) {
  if (cell === undefined)
    return {
      text: '',
      isHint: false,
      isNumber: false,
      isChanged: false,
      isReadOnly: true,
      error: undefined,
      theirs: undefined,
    }
  const { product, field } = cell
  const edit = editAt(editing, cell)
  const { text, isHint } =
    edit?.error !== undefined
      ? { text: edit.text, isHint: false }
      : shownText(field, product, edit === undefined ? field.currentOf(product) : edit.value)
  return {
    text,
    isHint,
    isNumber: field.codec.isNumber === true,
    isChanged: edit !== undefined,
    isReadOnly: field.whyReadOnly(product) !== undefined,
    error: edit?.error,
    theirs: edit?.theirs === undefined ? undefined : field.codec.shown(edit.theirs.value),
  }
}
