import { useEffect } from 'react'
import { useKeys } from '../parts/use-keys.ts'

type Acts = { select: (id: number) => void; edit: () => void; editInList: () => void }

/** Keys act on the focused row. shell/page-keys.ts lists them. */
export function useListKeys({ select, edit, editInList }: Acts): void {
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    e: edit,
    i: editInList,
    x: () => {
      const row = document.activeElement?.closest<HTMLElement>('tr[data-product]')
      if (row) select(Number(row.dataset['product']))
      return Boolean(row)
    },
  })
  useEffect(() => {
    document.addEventListener('focusin', noteRow)
    return () => document.removeEventListener('focusin', noteRow)
  }, [])
}

/** Where j and k continue, also after Back. */
const lastRow = 'catalog-products-row'

function noteRow({ target }: FocusEvent): void {
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-product]') : null
  if (row !== null) sessionStorage.setItem(lastRow, row.dataset['product'] ?? '')
}

function step(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-product]')]
  const place = rows.findIndex((row) => row.dataset['product'] === sessionStorage.getItem(lastRow))
  rows[Math.min(rows.length - 1, Math.max(0, place + by))]?.querySelector('a')?.focus()
}
