import { CloseButton, Modal } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useId, useState } from 'react'
import { useFocusBack } from '../parts/dialogs/focus-back.ts'
import { Icon } from '../parts/icons.tsx'
import { useSession } from '../session.ts'
import type { SessionProject } from '../wire.ts'
import type { Entry } from './entries.ts'
import { Options, optionId } from './options.tsx'
import styles from './palette.module.css'
import { keepRecent } from './recent.ts'
import { SearchStatus } from './search-status.tsx'
import { useGroups } from './use-groups.ts'

type Props = {
  project: SessionProject | undefined
  /** Ends the keeping of what was typed before the field was there, and tells it. */
  bufferedKeys: RefObject<() => string>
  close: () => void
}

const longest = 100

/** Leads anywhere by a few letters. The focus stays in the field; the arrow keys go through the list below it. */
export function Palette({ project, bufferedKeys, close }: Props) {
  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const found = useGroups(project, text)
  const choose = useChoose(project, close)
  const list = useChoice(text, found, choose)
  const listId = useId()
  useFocusBack()
  const begin = useCallback(
    (field: HTMLInputElement | null) => {
      field?.focus()
      if (field !== null) setTyped(bufferedKeys.current().slice(0, longest))
    },
    [bufferedKeys],
  )
  return (
    // Not the usual Modal, which has a header with a title.
    <Modal.Root opened onClose={close} size="lg" yOffset="10dvh" lockScroll={false}>
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content radius="lg" aria-label="Jump to">
        {/* A class of the content would be one of what centres it, too. */}
        <div className={styles.palette}>
          <div className={styles.field}>
            <Icon name="search" />
            <input
              ref={begin}
              className={styles.input}
              role="combobox"
              aria-label="Jump to"
              aria-expanded
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={list.active && optionId(listId, list.active)}
              placeholder={project === undefined ? 'Project or page' : 'SKU, product, view, page or action'}
              autoComplete="off"
              spellCheck={false}
              maxLength={longest}
              data-autofocus
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              onKeyDown={list.press}
            />
            <CloseButton aria-label="Close" onClick={close} />
          </div>
          <Options id={listId} {...found} active={list.active} choose={choose} />
          <SearchStatus text={text} count={list.count} {...found} />
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

function useChoose(project: SessionProject | undefined, close: () => void) {
  const { user } = useSession()
  const { history } = useRouter()
  return (entry: Entry) => {
    keepRecent(user.id, project?.id ?? 0, entry)
    close()
    // Once the palette is gone: an act may show a dialog, and a page may ask before it is left.
    setTimeout(() => ('href' in entry ? history.push(entry.href) : entry.act()))
  }
}

/** Which entry Enter takes: the first, or the one that the arrow keys led to, for as long as it is there and the text is the same. */
function useChoice(text: string, found: ReturnType<typeof useGroups>, choose: (entry: Entry) => void) {
  const entries = found.groups.flatMap((group) => group.entries)
  const [reached, setReached] = useState({ text, id: '' })
  const [awaited, setAwaited] = useState<string>()
  const place = reached.text === text ? entries.findIndex(({ id }) => id === reached.id) : -1
  const entry = entries[Math.max(place, 0)]
  const isSure = place >= 0 || !found.isSearching || entry?.id.match(/^(product|project):/) === null
  // Enter before the answer: what it finds is taken when it comes, unless something else is typed meanwhile.
  const isDue = awaited === text && isSure
  useEffect(() => {
    if (!isDue) return
    setAwaited(undefined)
    if (entry !== undefined) choose(entry)
  })
  const step = (by: number) => {
    const next = entries.at((Math.max(place, 0) + by) % entries.length)
    if (next !== undefined) setReached({ text, id: next.id })
  }
  const press = (event: KeyboardEvent) => {
    const { key, nativeEvent } = event
    if (nativeEvent.isComposing || !['ArrowDown', 'ArrowUp', 'Enter'].includes(key)) return
    event.preventDefault()
    if (key === 'Enter') setAwaited(text)
    else step(key === 'ArrowDown' ? 1 : -1)
  }
  return { press, active: entry?.id, count: entries.length }
}
