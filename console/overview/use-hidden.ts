import { useState } from 'react'

/** Whether the user has hidden a part of the page in this browser, and a function that hides it. */
export function useHidden(key: string): [boolean, () => void] {
  const [hidden, setHidden] = useState<string>()
  return [
    hidden === key || isStored(key),
    () => {
      setHidden(key)
      try {
        localStorage.setItem(key, 'hidden')
      } catch {
        // Without browser storage, it is hidden until the user leaves the page.
      }
    },
  ]
}

function isStored(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}
