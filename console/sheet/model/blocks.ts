import { type Editing, textAt, type Write } from './edits.ts'
import type { Area, Layout } from './layout.ts'
import type { Block } from './tsv.ts'

/** What an action on a block writes, and what it could not write. */
export type BlockWrite = { writes: Write[]; readOnly: number; outside: number; area: Area }

const heightOf = ({ top, bottom }: Area) => bottom - top + 1
const widthOf = ({ left, right }: Area) => right - left + 1

export function copyBlock(layout: Layout, editing: Editing, area: Area): string[][] {
  return Array.from({ length: heightOf(area) }, (_row, down) =>
    Array.from({ length: widthOf(area) }, (_column, across) => {
      const cell = layout.at(area.top + down, area.left + across)
      return cell === undefined ? '' : textAt(editing, cell)
    }),
  )
}

/** Texts for the cells of an area. Read-only cells and cells outside of the layout are counted and skipped. */
function writesIn(
  layout: Layout,
  area: Area,
  textFor: (down: number, across: number) => string | undefined,
): BlockWrite {
  const found: BlockWrite = { writes: [], readOnly: 0, outside: 0, area }
  for (let down = 0; down < heightOf(area); down += 1)
    for (let across = 0; across < widthOf(area); across += 1) {
      const text = textFor(down, across)
      const [row, column] = [area.top + down, area.left + across]
      if (text === undefined) continue
      if (row >= layout.rows || column >= layout.columns) found.outside += 1
      else {
        const cell = layout.at(row, column)
        if (cell === undefined || cell.field.whyReadOnly(cell.product) !== undefined) found.readOnly += 1
        else found.writes.push({ ...cell, text })
      }
    }
  return found
}

/** Pastes at the top left of the area. Repeats the block if the area is a multiple of it. */
export function pasteBlock(layout: Layout, area: Area, block: Block): BlockWrite {
  const height = block.length
  // A block can have more rows than a function can have arguments.
  const width = block.reduce((widest, row) => Math.max(widest, row.length), 0)
  const isRepeated = heightOf(area) % height === 0 && widthOf(area) % width === 0
  const target = isRepeated ? area : { ...area, bottom: area.top + height - 1, right: area.left + width - 1 }
  return writesIn(layout, target, (down, across) => block[down % height]?.[across % width])
}

export function clearBlock(layout: Layout, area: Area): BlockWrite {
  return writesIn(layout, area, () => '')
}

/** Repeats the first row of the area. A single row repeats the row above it. */
export function fillDown(layout: Layout, editing: Editing, area: Area): BlockWrite {
  const source = heightOf(area) === 1 ? area.top - 1 : area.top
  const target = { ...area, top: source + 1 }
  const [texts = []] = source < 0 ? [] : copyBlock(layout, editing, { ...area, top: source, bottom: source })
  return writesIn(layout, target, (_down, across) => texts[across])
}
