import type { RefObject } from 'react'
import { useKeys } from '../../parts/use-keys.ts'

/** `j` and `k` move between the checkboxes of a list, and `x` toggles the focused one. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  const boxes = () => [
    ...(list.current?.querySelectorAll<HTMLInputElement>('input[type=checkbox]:not([role=switch])') ?? []),
  ]
  const focused = () => boxes().indexOf(document.activeElement as HTMLInputElement)
  const step = (by: number) => {
    const all = boxes()
    all[Math.min(Math.max(focused() + by, 0), all.length - 1)]?.focus()
  }
  useKeys({ j: () => step(1), k: () => step(-1), x: () => boxes()[focused()]?.click() })
}
