import { type RefObject, useEffect, useRef } from 'react'

/** What had the focus may be taken away by its own act, such as the chip of a filter; the frame has the focus then. */
export function useFocusKept(frame: RefObject<HTMLElement | null>): void {
  const last = useRef<Element>(undefined)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if (target instanceof Element && frame.current?.contains(target)) last.current = target
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [frame])
  useEffect(() => {
    if (document.activeElement !== document.body || last.current?.isConnected !== false) return
    last.current = undefined
    frame.current?.focus({ preventScroll: true })
  })
}
