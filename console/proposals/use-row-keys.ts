import { useHotkeys } from '@mantine/hooks'
import type { RefObject } from 'react'

/** `j` and `k` go from checkbox to checkbox of a list, `x` chooses the one that has the focus. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  const boxes = () => [...(list.current?.querySelectorAll('input') ?? [])]
  const focused = () => boxes().indexOf(document.activeElement as HTMLInputElement)
  const step = (by: number) => {
    if (document.activeElement?.closest('[role=dialog]')) return
    const all = boxes()
    all[Math.min(Math.max(focused() + by, 0), all.length - 1)]?.focus()
  }
  // Checkboxes are inputs, in which keys are otherwise left to the typing.
  useHotkeys(
    [
      ['j', () => step(1)],
      ['k', () => step(-1)],
      ['x', () => boxes()[focused()]?.click()],
    ],
    ['TEXTAREA', 'SELECT'],
  )
}
