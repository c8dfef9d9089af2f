import { useEffect, useState } from 'react'

/**
 * Returns the focus, once a dialog is gone, to what had it before, or to the page where that is gone too. Mantine does so only for
 * dialogs that stay while they are closed.
 */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body
        const target = isThere ? before : document.getElementById('content')
        target?.focus({ preventScroll: true })
      })
    },
    [before],
  )
}

/** Where the button that has the focus is about to go. */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true })
}
