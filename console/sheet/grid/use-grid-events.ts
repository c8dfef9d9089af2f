import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useRef,
} from 'react'
import { flushSync } from 'react-dom'
import { type Layout, movedBy, type Position } from '../model/layout.ts'
import type { Sheet } from '../use-sheet.ts'

/** Keys, clipboard and pointer of the grid. The editor handles its own events. */
export function useGridEvents(
  sheet: Sheet,
  layout: Layout,
  wantsFocus: { current: boolean },
  pageRows: () => number,
) {
  const isDragging = useRef(false)
  useEffect(() => {
    const stop = () => {
      isDragging.current = false
    }
    document.addEventListener('pointerup', stop)
    document.addEventListener('pointercancel', stop)
    return () => {
      document.removeEventListener('pointerup', stop)
      document.removeEventListener('pointercancel', stop)
    }
  }, [])
  const move = (to: Position, extend = false) => {
    wantsFocus.current = true
    sheet.move(to, extend)
  }

  const press = (event: KeyboardEvent) => {
    if (isInControl(event)) return
    const isMod = event.ctrlKey || event.metaKey
    const to = movedBy({ key: event.key, isJump: isMod }, sheet.active, layout, pageRows())
    // The button of a cell without a value.
    const button = event.key === 'Enter' ? (event.target as Element).querySelector('button') : null
    const act =
      button !== null
        ? () => button.click()
        : to === undefined
          ? actOf(event, sheet)
          : () => move(to, event.shiftKey)
    if (act !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      wantsFocus.current = true
      act()
    } else if (event.key.length === 1 && !isMod && !event.altKey) {
      // The editor has the focus before the browser types the character, so that it arrives there, also from an input method.
      event.stopPropagation()
      flushSync(() => sheet.edit('empty'))
    }
  }

  return {
    onKeyDown: press,
    onCopy: (event: ClipboardEvent) => {
      if (isInControl(event)) return
      event.preventDefault()
      event.clipboardData.setData('text/plain', sheet.copy())
    },
    onCut: (event: ClipboardEvent) => {
      if (isInControl(event)) return
      event.preventDefault()
      event.clipboardData.setData('text/plain', sheet.copy())
      sheet.clear()
    },
    onPaste: (event: ClipboardEvent) => {
      if (isInControl(event)) return
      event.preventDefault()
      wantsFocus.current = true
      sheet.paste(event.clipboardData.getData('text/plain'))
    },
    onPointerDown: (event: PointerEvent) => {
      const to = cellOf(event)
      if (to === undefined || event.button !== 0 || event.pointerType !== 'mouse' || isInControl(event))
        return
      isDragging.current = true
      move(to, event.shiftKey)
    },
    onPointerOver: (event: PointerEvent) => {
      const to = isDragging.current ? cellOf(event) : undefined
      if (to !== undefined) move(to, true)
    },
    /** A second tap edits. */
    onClick: (event: MouseEvent) => {
      const to = cellOf(event)
      const isMouse = (event.nativeEvent as globalThis.PointerEvent).pointerType === 'mouse'
      if (to === undefined || isMouse || isInControl(event)) return
      if (to.row === sheet.active.row && to.column === sheet.active.column) sheet.edit('text')
      else move(to)
    },
    onDoubleClick: (event: MouseEvent) => {
      if (cellOf(event) !== undefined && !isInControl(event)) sheet.edit('text')
    },
  }
}

function actOf({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent, sheet: Sheet) {
  if (altKey) return undefined
  if (ctrlKey || metaKey)
    return {
      a: sheet.selectAll,
      d: sheet.fill,
      y: sheet.redo,
      z: shiftKey ? sheet.redo : sheet.undo,
    }[key.toLowerCase()]
  return {
    Enter: () => sheet.edit('text'),
    F2: () => sheet.edit('text'),
    Delete: sheet.clear,
    Backspace: sheet.clear,
    Escape: () => sheet.move(sheet.active),
  }[key]
}

/** An editor or a button in a cell. */
function isInControl({ target }: { target: EventTarget }): boolean {
  return (target as Element).closest('input, textarea, select, button, [role=option]') !== null
}

function cellOf({ target }: { target: EventTarget }): Position | undefined {
  const cell = (target as Element).closest<HTMLElement>('[data-cell]')
  const [row, column] = (cell?.dataset['cell'] ?? '').split(':').map(Number)
  return row === undefined || column === undefined ? undefined : { row, column }
}
