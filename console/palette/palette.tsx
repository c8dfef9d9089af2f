import { CloseButton, Modal } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useId, useState } from 'react'
import { useRestoreFocus } from '../parts/dialogs/restore-focus.ts'
import { Icon } from '../parts/icons.tsx'
import { useSession } from '../session.ts'
import type { SessionProject } from '../wire.ts'
import type { Entry } from './entries.ts'
import { Options, optionId } from './options.tsx'
import styles from './palette.module.css'
import { storeRecent } from './recent.ts'
import { SearchStatus } from './search-status.tsx'
import { strings } from './strings.ts'
import { useGroups } from './use-groups.ts'

type Props = {
  project: SessionProject | undefined
  /** Ends the buffering, and returns the text typed before the input existed. */
  bufferedKeys: RefObject<() => string>
  close: () => void
}

const longest = 100

/** Searches pages, actions, views and products. The focus stays in the input; the arrow keys move through the list. */
export function Palette({ project, bufferedKeys, close }: Props) {
  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const found = useGroups(project, text)
  const choose = useChoose(project, close)
  const list = useChoice(text, found, choose)
  const listId = useId()
  useRestoreFocus()
  const begin = useCallback(
    (field: HTMLInputElement | null) => {
      field?.focus()
      if (field !== null) setTyped(bufferedKeys.current().slice(0, longest))
    },
    [bufferedKeys],
  )
  return (
    // Without the title bar of the usual Modal.
    <Modal.Root opened onClose={close} size="lg" yOffset="10dvh" lockScroll={false}>
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content radius="lg" aria-label={strings.label}>
        {/* A class on Modal.Content would also apply to its centering wrapper. */}
        <div className={styles.palette}>
          <div className={styles.field}>
            <Icon name="search" />
            <input
              ref={begin}
              className={styles.input}
              role="combobox"
              aria-label={strings.label}
              aria-expanded
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={list.active && optionId(listId, list.active)}
              placeholder={project === undefined ? strings.placeholderNoProject : strings.placeholder}
              autoComplete="off"
              spellCheck={false}
              maxLength={longest}
              data-autofocus
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              onKeyDown={list.press}
            />
            <CloseButton aria-label={strings.close} onClick={close} />
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
    storeRecent(user.id, project?.id ?? 0, entry)
    close()
    // After the palette closes: the action may open a dialog.
    setTimeout(() => ('href' in entry ? history.push(entry.href) : entry.act()))
  }
}

/** The entry that Enter opens: the first, or the one selected with the arrow keys for the same text. */
function useChoice(text: string, found: ReturnType<typeof useGroups>, choose: (entry: Entry) => void) {
  const entries = found.groups.flatMap((group) => group.entries)
  const [reached, setReached] = useState({ text, id: '' })
  const [awaited, setAwaited] = useState<string>()
  const place = reached.text === text ? entries.findIndex(({ id }) => id === reached.id) : -1
  const entry = entries[Math.max(place, 0)]
  const isSure = place >= 0 || !found.isSearching || entry?.id.match(/^(product|project):/) === null
  // Enter before the response: opens the first result when it arrives, unless the text changes.
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
