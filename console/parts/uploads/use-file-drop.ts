import { useEffect, useRef, useState } from 'react'
import { isBehindDialog } from '../use-keys.ts'

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Files can be dropped anywhere on the page: outside of a target, the browser would open the file instead, and the user would
 * lose unsaved changes.
 */
export function useFileDrop(isOffered: boolean, drop: (files: File[]) => void): { isOver: boolean } {
  const [isOver, setOver] = useState(false)
  const latest = useRef(drop)
  useEffect(() => {
    latest.current = drop
  })
  useEffect(() => {
    if (!isOffered) return
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(!isBehindDialog())
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false)
    }
    const dropped = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      if (!isBehindDialog()) latest.current([...(event.dataTransfer?.files ?? [])])
    }
    const events = { dragover: over, dragleave: leave, drop: dropped } as const
    for (const [name, handle] of Object.entries(events)) window.addEventListener(name as 'drop', handle)
    return () => {
      for (const [name, handle] of Object.entries(events)) window.removeEventListener(name as 'drop', handle)
    }
  }, [isOffered])
  return { isOver }
}
