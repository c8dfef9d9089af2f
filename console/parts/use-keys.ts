import { useEffect, useRef } from 'react'

/** Actions by key name. If an action returns false, the browser handles the key. */
export type KeyActions = Record<string, () => unknown>

/** Runs actions for single keys, except while the user types or a dialog is open. */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented
      const action = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (isOther || action === undefined || isTyped(event.target) || isBehindDialog()) return
      if (action() !== false) event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

export function isBehindDialog(): boolean {
  return document.querySelector('[role=dialog], [role=menu]') !== null
}

function isTyped(target: EventTarget | null): boolean {
  const typedIn = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]'
  return target instanceof HTMLElement && target.matches(typedIn)
}
