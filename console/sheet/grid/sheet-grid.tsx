import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useId, useLayoutEffect, useRef } from 'react'
import { GridRow } from './grid-row.tsx'
import type { GridProps } from './grid-types.ts'
import { HeaderRow } from './header-row.tsx'
import styles from './sheet.module.css'
import { useGridEvents } from './use-grid-events.ts'

const rowHeight = 44
const headerHeight = 36

/** A grid with one tab stop. Only visible rows and columns are rendered, and the active cell. */
export function SheetGrid(props: GridProps) {
  const { layout, columns, sheet, titles } = props
  const { active } = sheet
  const frame = useRef<HTMLDivElement>(null)
  const id = useId()
  const sticky = titles?.width ?? columns[0]?.width ?? 0
  const activeWidth = columns[active.column]?.width ?? 0
  const across = useColumns(props, frame, sticky)
  const down = useVirtualizer({
    count: layout.rows,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    paddingStart: headerHeight,
    scrollPaddingStart: headerHeight,
    overscan: 4,
    rangeExtractor: (range) => withIndex(defaultRangeExtractor(range), active.row),
  })
  const wantsFocus = useRef(true)
  useLayoutEffect(() => {
    down.scrollToIndex(active.row)
    if (active.column === 0 && titles === undefined) return
    // Of a column that is wider than the window, the start is visible.
    const isWider = activeWidth > (frame.current?.clientWidth ?? 0) - sticky
    across.scrollToIndex(active.column, { align: isWider ? 'start' : 'auto' })
  }, [down, across, active.row, active.column, titles, activeWidth, sticky])
  // After each render, because the cell that gets the focus may be rendered only now.
  useEffect(() => {
    const cell = document.getElementById(`${id}-${active.row}-${active.column}`)
    if (!wantsFocus.current || sheet.editor !== undefined || cell === null) return
    wantsFocus.current = false
    cell.focus({ preventScroll: true })
  })
  const pageRows = () => Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / rowHeight) - 2)
  const events = useGridEvents(sheet, layout, wantsFocus, pageRows)
  const visible = across.getVirtualItems()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot have virtual rows and columns
    <div
      ref={frame}
      role="grid"
      aria-label={props.label}
      aria-rowcount={layout.rows + 1}
      aria-colcount={layout.columns + (titles === undefined ? 0 : 1)}
      aria-multiselectable
      aria-busy={props.isBusy || undefined}
      // The active cell is the tab stop.
      tabIndex={-1}
      className={styles.frame}
      data-scrolls
      {...events}
    >
      <div
        role="presentation"
        className={styles.canvas}
        style={{ width: across.getTotalSize(), height: down.getTotalSize() }}
      >
        <HeaderRow columns={columns} visible={visible} titles={titles} height={headerHeight} />
        {down.getVirtualItems().map(({ index, start }) => (
          <GridRow
            key={index}
            {...props}
            id={id}
            row={index}
            top={start}
            visible={visible}
            finish={(text, after) => {
              wantsFocus.current = after !== 'leave'
              sheet.commit(text)
              const { row, column } = active
              if (after === 'down') sheet.move({ row: row + 1, column })
              if (after === 'up') sheet.move({ row: row - 1, column })
              if (after === 'right') sheet.move({ row, column: column + 1 })
              if (after === 'left') sheet.move({ row, column: column - 1 })
            }}
            cancel={() => {
              wantsFocus.current = true
              sheet.cancel()
            }}
          />
        ))}
      </div>
    </div>
  )
}

function useColumns(
  { columns, sheet, titles }: GridProps,
  frame: { current: HTMLDivElement | null },
  sticky: number,
) {
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => columns[index]?.width ?? 0,
    paddingStart: titles?.width ?? 0,
    scrollPaddingStart: sticky,
    overscan: 2,
    rangeExtractor: (range) =>
      withIndex(
        withIndex(defaultRangeExtractor(range), sheet.active.column),
        titles === undefined ? 0 : sheet.active.column,
      ),
  })
  const widths = columns.map(({ width }) => width).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes are cached until the widths change
  useLayoutEffect(() => across.measure(), [across, widths])
  return across
}

function withIndex(indexes: number[], index: number): number[] {
  return indexes.includes(index) ? indexes : [...indexes, index].sort((one, other) => one - other)
}
