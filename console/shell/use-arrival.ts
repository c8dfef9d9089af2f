import { useEffect, useRef } from 'react'

const timeoutMilliseconds = 10_000

/**
 * Screen readers announce a new page and read it from its beginning, as after a full load. If the user returns from an
 * object to its list, the focus goes to its row as soon as the rows are loaded.
 */
export function useArrival(path: string, arrived: () => void) {
  const main = useRef<HTMLElement>(null)
  const previous = useRef(path)
  useEffect(() => {
    const from = previous.current
    if (from === path || main.current === null) return
    previous.current = path
    arrived()
    main.current.focus({ preventScroll: true })
    return from.startsWith(`${path}/`) ? focusLinkTo(from, main.current) : undefined
  }, [path, arrived])
  return main
}

/** Stops when the user moves the focus. */
function focusLinkTo(path: string, main: HTMLElement): () => void {
  const find = () => {
    if (document.activeElement !== main) return stop()
    const link = [...main.querySelectorAll('a')].find((one) => one.pathname === path)
    if (link === undefined) return
    link.focus()
    showFocused(link)
    stop()
  }
  const observer = new MutationObserver(find)
  const timer = setTimeout(() => stop(), timeoutMilliseconds)
  const stop = () => {
    observer.disconnect()
    clearTimeout(timer)
  }
  observer.observe(main, { subtree: true, childList: true })
  find()
  return stop
}

/** The router restores the scroll position after the page is drawn. */
function showFocused(link: HTMLElement): void {
  const show = () => document.activeElement === link && link.scrollIntoView({ block: 'nearest' })
  requestAnimationFrame(() => requestAnimationFrame(show))
}
