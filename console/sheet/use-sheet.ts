import { useMemo, useState } from 'react'
import { notifyWarning } from '../parts/notify.ts'
import { type BlockWrite, clearBlock, copyBlock, fillDown, pasteBlock } from './model/blocks.ts'
import { type Editing, isInvalid, mostEdits, redo, undo, type Write, writeCells } from './model/edits.ts'
import { areaOf, type Layout, type Position, within } from './model/layout.ts'
import { readTsv, writeTsv } from './model/tsv.ts'
import { strings } from './strings.ts'
import type { SheetEdits } from './use-edits.ts'

/** How the editor starts: with the text of the cell, or empty because the user types. */
export type EditorStart = 'text' | 'empty'

/** Longer texts are no block of a spreadsheet, and would block the page. */
const mostPasted = 10_000_000

export type Sheet = ReturnType<typeof useSheet>

/** The active cell, the selection, and the actions of the grid. */
export function useSheet(layout: Layout, edits: SheetEdits, announce: (text: string) => void) {
  const [place, setPlace] = useState({ active: { row: 0, column: 0 }, anchor: { row: 0, column: 0 } })
  const [editor, setEditor] = useState<EditorStart>()
  const active = within(layout, place.active)
  const anchor = within(layout, place.anchor)
  const area = useMemo(
    () => areaOf({ row: active.row, column: active.column }, { row: anchor.row, column: anchor.column }),
    [active.row, active.column, anchor.row, anchor.column],
  )

  const write = (writes: readonly Write[]): Editing | undefined => {
    const next = writeCells(edits.now(), writes)
    if (next === undefined) notifyWarning(strings.said.tooMany(mostEdits))
    else edits.set(next)
    return next
  }
  const writeBlock = ({ writes, readOnly, outside }: BlockWrite, said: (count: number) => string) => {
    const next = write(writes)
    if (next === undefined) return
    const invalid = writes.filter(({ product, field }) => {
      const edit = next.edits.get(`${product.id} ${field.field}`)
      return edit !== undefined && isInvalid(edit)
    }).length
    announce(
      [
        said(writes.length),
        readOnly > 0 && strings.said.skipped(readOnly),
        outside > 0 && strings.said.outside(outside),
        invalid > 0 && strings.said.invalid(invalid),
      ]
        .filter(Boolean)
        .join(' '),
    )
  }
  const step = (way: 'undo' | 'redo') => {
    const before = edits.now()
    const count = (way === 'undo' ? before.past.at(-1) : before.future[0])?.length ?? 0
    edits.set(way === 'undo' ? undo(before) : redo(before))
    const { said } = strings
    if (way === 'undo') announce(count === 0 ? said.nothingToUndo : said.undone(count))
    else announce(count === 0 ? said.nothingToRedo : said.redone(count))
  }

  return {
    active,
    area,
    editor,
    /** Moves the active cell. `extend` keeps the other end of the selection. */
    move: (to: Position, extend = false) => {
      const next = within(layout, to)
      setPlace({ active: next, anchor: extend ? anchor : next })
      setEditor(undefined)
    },
    selectAll: () =>
      setPlace({
        active,
        anchor:
          active.row === 0 && active.column === 0
            ? within(layout, { row: layout.rows, column: layout.columns })
            : { row: 0, column: 0 },
      }),
    edit: (start: EditorStart) => {
      const cell = layout.at(active.row, active.column)
      const why = cell?.field.whyReadOnly(cell.product)
      if (cell === undefined || why !== undefined) announce(why ?? '')
      else setEditor(start)
    },
    cancel: () => setEditor(undefined),
    commit: (text: string) => {
      const cell = layout.at(active.row, active.column)
      setEditor(undefined)
      if (cell !== undefined) write([{ ...cell, text }])
    },
    copy: () => {
      const block = copyBlock(layout, edits.now(), area)
      announce(strings.said.copied(block.length * (block[0]?.length ?? 0)))
      return writeTsv(block)
    },
    paste: (text: string) => {
      const pasted = pasteBlock(layout, area, readTsv(text.slice(0, mostPasted)))
      writeBlock(pasted, strings.said.pasted)
      const end = within(layout, { row: pasted.area.bottom, column: pasted.area.right })
      setPlace({ active: { row: pasted.area.top, column: pasted.area.left }, anchor: end })
    },
    clear: () => writeBlock(clearBlock(layout, area), strings.said.cleared),
    fill: () => writeBlock(fillDown(layout, edits.now(), area), strings.said.filled),
    undo: () => step('undo'),
    redo: () => step('redo'),
  }
}
