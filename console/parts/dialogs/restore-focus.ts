import { useEffect, useState } from 'react'

/** The element that opened the first dialog of a sequence, such as a confirmation followed by a secret. */
let first: Element | null = null

/**
 * When a dialog closes, returns the focus to the element that had it before, to the opener of the first dialog, or
 * to the page. Mantine does this only for dialogs that stay mounted.
 */
export function useRestoreFocus(): void {
  const [before] = useState(opener)
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const target = [before, first].find(isThere) ?? document.getElementById('content')
        target?.focus({ preventScroll: true })
      })
    },
    [before],
  )
}

function opener(): Element | null {
  const active = document.activeElement
  // A menu item is removed with its menu, so use the button that opens the menu.
  const menuButton = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opened = menuButton ? document.getElementById(menuButton) : active
  // Nothing has the focus while a pressed button waits for its response.
  if (document.querySelector('[role="dialog"]') === null) first = opened
  return opened
}

function isThere(element: Element | null): element is HTMLElement {
  return element instanceof HTMLElement && element.isConnected && element !== document.body
}

/** Call this before the focused button is removed. */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true })
}
