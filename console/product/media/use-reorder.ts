import { type DragEvent, useState } from 'react'

const format = 'application/x-catalog-media'

/** The user drags an item onto the place that it takes. */
export function useReorder(move: (from: number, to: number) => void) {
  const [dragged, setDragged] = useState<number>()
  const [over, setOver] = useState<number>()
  const end = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  return (index: number) => ({
    draggable: true,
    'data-dragged': dragged === index,
    'data-over': dragged === undefined || over !== index ? undefined : over < dragged ? 'before' : 'after',
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData(format, String(index))
      setDragged(index)
    },
    onDragOver: (event: DragEvent) => {
      if (dragged === undefined) return
      event.preventDefault()
      setOver(index)
    },
    onDragLeave: () => setOver(undefined),
    onDrop: (event: DragEvent) => {
      if (dragged === undefined) return
      event.preventDefault()
      end()
      move(dragged, index)
    },
    onDragEnd: end,
  })
}
