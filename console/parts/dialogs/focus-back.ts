import { useEffect, useState } from 'react'

/** What opened the first of the dialogs that follow one another, such as a question and the secret that it ends with. */
let first: Element | null = null

/**
 * Returns the focus, once a dialog is gone, to what had it before, or to what opened the dialog before it, or to the page where
 * both are gone. Mantine does so only for dialogs that stay while they are closed.
 */
export function useFocusBack(): void {
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
  // The entry of a menu goes with the menu; the button that opens it stays.
  const menuButton = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opened = menuButton ? document.getElementById(menuButton) : active
  // Nothing has the focus while the button that was pressed in a dialog waits for its answer.
  if (document.querySelector('[role="dialog"]') === null) first = opened
  return opened
}

function isThere(element: Element | null): element is HTMLElement {
  return element instanceof HTMLElement && element.isConnected && element !== document.body
}

/** Where the button that has the focus is about to go. */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true })
}
