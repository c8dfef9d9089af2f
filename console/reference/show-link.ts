/**
 * Scrolls the list that contains the link until the link is visible. `scrollIntoView` would also move the place where the Tab key
 * starts, past *Skip to content*.
 */
export function showLink(link: HTMLElement): void {
  const list = scrollerOf(link)
  if (list === null) return
  const [own, frame] = [link.getBoundingClientRect(), list.getBoundingClientRect()]
  const foot = Number.parseFloat(getComputedStyle(list).scrollPaddingBottom) || 0
  const hiddenBelow = own.bottom - (frame.bottom - foot)
  const hiddenAbove = frame.top - own.top
  if (hiddenBelow > 0) list.scrollTop += hiddenBelow
  else if (hiddenAbove > 0) list.scrollTop -= hiddenAbove
}

function scrollerOf({ parentElement }: Element): Element | null {
  if (parentElement === null) return null
  const { overflowY } = getComputedStyle(parentElement)
  return overflowY === 'auto' || overflowY === 'scroll' ? parentElement : scrollerOf(parentElement)
}
