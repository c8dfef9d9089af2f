import { useEffect, useRef } from 'react'

const patienceMilliseconds = 10_000

/**
 * Screen readers announce a new page and read it from its beginning, as after a full load. If the user returns from an
 * object to its list, the focus goes to its row as soon as the rows are loaded.
 */
export function useArrival(place: string, arrived: () => void) {
  const main = useRef<HTMLElement>(null)
  const previous = useRef(place)
  useEffect(() => {
    const from = previous.current
    if (from === place || main.current === null) return
    previous.current = place
    arrived()
    main.current.focus({ preventScroll: true })
    return from.startsWith(`${place}/`) ? focusLinkTo(from, main.current) : undefined
  }, [place, arrived])
  return main
}

/** Until the user goes elsewhere. */
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
  const timer = setTimeout(() => stop(), patienceMilliseconds)
  const stop = () => {
    observer.disconnect()
    clearTimeout(timer)
  }
  observer.observe(main, { subtree: true, childList: true })
  find()
  return stop
}

/** The router scrolls a page to its place once it is drawn. */
function showFocused(link: HTMLElement): void {
  const show = () => document.activeElement === link && link.scrollIntoView({ block: 'nearest' })
  requestAnimationFrame(() => requestAnimationFrame(show))
}
