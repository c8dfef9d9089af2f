import { type DragEvent, useState } from 'react'
import type { ListedCategory } from '../wire.ts'

type Dropped = { category: ListedCategory; onto: ListedCategory | null }

export type DragState = ReturnType<typeof useDrag>

/** The user drops a category onto its new parent, or onto the top level (null). */
export function useDrag(drop: (dropped: Dropped) => void) {
  const [dragged, setDragged] = useState<ListedCategory>()
  const [over, setOver] = useState<number | null>()
  const end = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  const target = (onto: ListedCategory | null) => {
    const id = onto?.id ?? null
    const isFit = dragged !== undefined && dragged.id !== id && dragged.parent !== id
    return {
      'data-over': isFit && over === id,
      onDragOver: (event: DragEvent) => {
        if (!isFit) return
        event.preventDefault()
        if (over !== id) setOver(id)
      },
      onDragLeave: () => setOver(undefined),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        end()
        if (isFit) drop({ category: dragged, onto })
      },
    }
  }
  return {
    dragged,
    target,
    handlersOf: (category: ListedCategory) => ({
      draggable: true,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', category.path.join(' › '))
        setDragged(category)
      },
      onDragEnd: end,
      ...target(category),
    }),
  }
}
