import { Kbd, Modal } from '@mantine/core'
import { type RefObject, useEffect, useRef } from 'react'
import styles from './products.module.css'

const keys = [
  ['/', 'Search'],
  ['j', 'Next row'],
  ['k', 'Row before'],
  ['x', 'Select the row, or take it out'],
  ['Enter', 'Open the row'],
  ['?', 'Show these keys'],
] as const

type Acts = { search: RefObject<HTMLInputElement | null>; select: (id: number) => void; showKeys: () => void }

/** Single keys act on the list, but not while somebody types, nor behind a dialog. */
export function useListKeys(acts: Acts): void {
  const latest = useRef(acts)
  const lastRow = useRef<string>(undefined)
  useEffect(() => {
    latest.current = acts
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isBusy(event.target))
        return
      if (!act(event.key, latest.current, lastRow)) return
      event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('[role=dialog], [role=menu]') !== null) return true
  return (
    target instanceof HTMLElement &&
    target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]')
  )
}

/** Whether the key meant something. The row that has the focus is the one that keys act on. */
function act(
  key: string,
  { search, select, showKeys }: Acts,
  lastRow: RefObject<string | undefined>,
): boolean {
  const rows = [...document.querySelectorAll<HTMLTableRowElement>('tr[data-product]')]
  const active = document.activeElement?.closest<HTMLTableRowElement>('tr[data-product]')
  if (active) lastRow.current = active.dataset['product']
  const place = rows.findIndex((row) => row.dataset['product'] === lastRow.current)
  switch (key) {
    case '/':
      search.current?.focus()
      search.current?.select()
      return true
    case '?':
      showKeys()
      return true
    case 'j':
    case 'k': {
      const next = rows[Math.min(rows.length - 1, Math.max(0, place + (key === 'j' ? 1 : -1)))]
      lastRow.current = next?.dataset['product']
      next?.querySelector('a')?.focus()
      return true
    }
    case 'x':
      if (active) select(Number(active.dataset['product']))
      return active !== undefined && active !== null
    default:
      return false
  }
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
