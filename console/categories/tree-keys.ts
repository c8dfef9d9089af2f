import { type KeyboardEvent, useRef } from 'react'
import type { CategoryRow, TreeRow } from './use-levels.ts'

export type Tree = {
  rows: TreeRow[]
  /** The index of the active row. */
  active: number
  go: (place: number) => void
  setOpen: (id: number, isOpen: boolean) => void
  choose: (row: CategoryRow) => void
  rename: (row: CategoryRow) => void
  remove: (row: CategoryRow) => void
}

const typingMilliseconds = 600
/** Category names rarely begin with them. */
const keysOfFrame = new Set(['/', '?'])

/** The keyboard interface of an ARIA tree. Letters move to the next row that begins with them. */
export function useTreeKeys(tree: Tree): (event: KeyboardEvent) => void {
  const typed = useRef({ text: '', at: 0 })
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { key, timeStamp: at } = event
    const isTyping = typed.current.text !== '' && at - typed.current.at < typingMilliseconds
    // While the user types a name, a space is part of it.
    const action = isTyping && key === ' ' ? undefined : actOf(tree, key)
    if (action === undefined && ([...key].length !== 1 || (!isTyping && keysOfFrame.has(key)))) return
    event.preventDefault()
    if (action === undefined) return find((isTyping ? typed.current.text : '') + key.toLocaleLowerCase(), at)
    typed.current = { text: '', at }
    action()
  }

  function find(text: string, at: number) {
    typed.current = { text, at }
    const { rows, active, go } = tree
    const begins = (row: TreeRow | undefined) =>
      row?.kind === 'category' && row.category.name.toLocaleLowerCase().startsWith(text)
    // Longer text can still match the current row.
    const first = active + (text.length === 1 ? 1 : 0)
    const places = rows.map((_, index) => (first + index) % rows.length)
    const found = places.find((place) => begins(rows[place]))
    if (found !== undefined) go(found)
  }
}

function actOf(tree: Tree, key: string): (() => void) | undefined {
  const { rows, active, go } = tree
  const row = rows[active]
  const own = row?.kind === 'category' ? row : undefined
  switch (key) {
    case 'ArrowDown':
      return () => go(Math.min(active + 1, rows.length - 1))
    case 'ArrowUp':
      return () => go(Math.max(active - 1, 0))
    case 'Home':
      return () => go(0)
    case 'End':
      return () => go(rows.length - 1)
    case 'ArrowRight':
      return () => own && inwards(tree, own)
    case 'ArrowLeft':
      return () => row && outwards(tree, row)
    case 'Enter':
    case ' ':
      return () => own && tree.choose(own)
    case 'F2':
      return () => own && tree.rename(own)
    case 'Delete':
      return () => own && tree.remove(own)
    default:
      return undefined
  }
}

function inwards({ active, go, setOpen }: Tree, { category, isOpen }: CategoryRow) {
  if (isOpen) go(active + 1)
  else if ((category.children ?? 0) > 0) setOpen(category.id, true)
}

function outwards({ rows, go, setOpen }: Tree, row: TreeRow) {
  if (row.kind === 'category' && row.isOpen) return setOpen(row.category.id, false)
  const above = rows.findIndex((one) => one.kind === 'category' && one.category.id === row.parent)
  if (above >= 0) go(above)
}
