import type { ProductDetail } from '../../wire.ts'
import type { SheetField } from '../fields/sheet-field.ts'

export type Position = { row: number; column: number }
/** Inclusive. */
export type Area = { top: number; bottom: number; left: number; right: number }

/** The value of one product that a cell shows. */
export type Cell = { product: ProductDetail; field: SheetField }

/** What is where: a page of the list has a product per row, a variant matrix a product per cell. */
export type Layout = {
  rows: number
  columns: number
  at: (row: number, column: number) => Cell | undefined
}

export function areaOf(one: Position, other: Position): Area {
  return {
    top: Math.min(one.row, other.row),
    bottom: Math.max(one.row, other.row),
    left: Math.min(one.column, other.column),
    right: Math.max(one.column, other.column),
  }
}

export function isInside({ top, bottom, left, right }: Area, row: number, column: number): boolean {
  return row >= top && row <= bottom && column >= left && column <= right
}

export function within({ rows, columns }: Layout, { row, column }: Position): Position {
  return {
    row: Math.min(Math.max(0, row), Math.max(0, rows - 1)),
    column: Math.min(Math.max(0, column), Math.max(0, columns - 1)),
  }
}

type Pressed = { key: string; isJump: boolean }

/** Where a key moves the active cell. Undefined if the key does not move it. */
export function movedBy({ key, isJump }: Pressed, from: Position, layout: Layout, pageRows: number) {
  const { row, column } = from
  const last = { row: layout.rows - 1, column: layout.columns - 1 }
  const moves: Record<string, Position> = {
    ArrowUp: { row: isJump ? 0 : row - 1, column },
    ArrowDown: { row: isJump ? last.row : row + 1, column },
    ArrowLeft: { row, column: isJump ? 0 : column - 1 },
    ArrowRight: { row, column: isJump ? last.column : column + 1 },
    Home: { row: isJump ? 0 : row, column: 0 },
    End: { row: isJump ? last.row : row, column: last.column },
    PageUp: { row: row - pageRows, column },
    PageDown: { row: row + pageRows, column },
  }
  const to = Object.hasOwn(moves, key) ? moves[key] : undefined
  return to && within(layout, to)
}
