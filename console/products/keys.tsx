import { Kbd, Modal } from '@mantine/core'
import { type RefObject, useEffect, useRef } from 'react'
import styles from './products.module.css'

const keys = [
  ['/', 'Search'],
  ['j', 'Next row'],
  ['k', 'Row before'],
  ['x', 'Select the row, or take it out'],
  ['Enter', 'Open the row'],
  ['e', 'Edit what is selected'],
  ['?', 'Show these keys'],
] as const

type Acts = {
  search: RefObject<HTMLInputElement | null>
  select: (id: number) => void
  edit: () => void
  showKeys: () => void
}

/** Single keys act on the list, but not while somebody types, nor behind a dialog. */
export function useListKeys(acts: Acts): void {
  const latest = useRef(acts)
  useEffect(() => {
    latest.current = acts
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented
      if (!isOther && !isBusy(event.target) && act(event.key, latest.current)) event.preventDefault()
    }
    document.addEventListener('keydown', press)
    document.addEventListener('focusin', noteRow)
    return () => {
      document.removeEventListener('keydown', press)
      document.removeEventListener('focusin', noteRow)
    }
  }, [])
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('[role=dialog], [role=menu]') !== null) return true
  const typedIn = 'input:not([type=checkbox]), textarea, select, [contenteditable]'
  return target instanceof HTMLElement && target.matches(typedIn)
}

/** Where j and k go on from, also after Back. */
const lastRow = 'catalog-products-row'

function noteRow({ target }: FocusEvent): void {
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-product]') : null
  if (row !== null) sessionStorage.setItem(lastRow, row.dataset['product'] ?? '')
}

/** Whether the key meant something. The row that has the focus is the one that keys act on. */
function act(key: string, { search, select, edit, showKeys }: Acts): boolean {
  switch (key) {
    case '/':
      search.current?.focus()
      search.current?.select()
      return true
    case '?':
      showKeys()
      return true
    case 'e':
      edit()
      return true
    case 'j':
    case 'k':
      step(key === 'j' ? 1 : -1)
      return true
    case 'x': {
      const row = document.activeElement?.closest<HTMLElement>('tr[data-product]')
      if (row) select(Number(row.dataset['product']))
      return Boolean(row)
    }
    default:
      return false
  }
}

function step(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-product]')]
  const place = rows.findIndex((row) => row.dataset['product'] === sessionStorage.getItem(lastRow))
  rows[Math.min(rows.length - 1, Math.max(0, place + by))]?.querySelector('a')?.focus()
}

export function KeysDialog({ close }: { close: () => void }) {
  return (
    <Modal opened onClose={close} title="Keys" size="sm">
      <dl className={styles.keys}>
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
