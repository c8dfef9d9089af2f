import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { sessionEnd } from '../session-end.ts'
import { leaveEditor } from './commit-editor.ts'
import type { SheetField } from './fields/sheet-field.ts'
import { type Edit, type Editing, nothingEdited, settle } from './model/edits.ts'
import { readStored, writeStored } from './model/stored-edits.ts'

export type SheetEdits = {
  editing: Editing
  /** The current edits, also within a handler that changed them. */
  now: () => Editing
  set: (next: Editing) => void
  settleEdits: (found: readonly (readonly [Edit, Edit | undefined])[]) => void
  discard: () => void
  /** Number of edits that were restored when the page opened. */
  restored: number
  /** Whether a reload of the page keeps the edits. */
  isStored: boolean
}

const storeMilliseconds = 300

/**
 * Unsaved edits, in the storage of this browser tab until they are saved or discarded: a reload or a crash of the page does not lose
 * them. Another user does not get them, and tabs do not overwrite each other's edits.
 */
export function useEdits(name: string, fieldAt: (path: string) => SheetField | undefined): SheetEdits {
  const key = `catalog-edits-${sessionEnd.user?.id ?? 0}-${name}`
  const [initial] = useState(() => ({ ...nothingEdited, edits: readStored(readKey(key), fieldAt) }))
  const [editing, setEditing] = useState<Editing>(initial)
  const [isStored, setStored] = useState(true)
  const latest = useRef(editing)
  const set = useCallback((next: Editing) => {
    latest.current = next
    setEditing(next)
  }, [])
  useEffect(() => {
    const store = () => setStored(writeKey(key, editing))
    const timer = setTimeout(store, storeMilliseconds)
    return () => clearTimeout(timer)
  }, [key, editing])
  useEffect(() => {
    const storeLatest = () => void writeKey(key, latest.current)
    // Includes the text of an open editor.
    const leave = () => {
      leaveEditor()
      storeLatest()
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      storeLatest()
    }
  }, [key])
  return useMemo(
    () => ({
      editing,
      now: () => latest.current,
      set,
      settleEdits: (found) => set(settle(latest.current, unchangedSince(latest.current, found))),
      discard: () => set(nothingEdited),
      restored: initial.edits.size,
      isStored,
    }),
    [editing, set, initial, isStored],
  )
}

/** An edit that the user changed during the save stays. */
function unchangedSince({ edits }: Editing, found: readonly (readonly [Edit, Edit | undefined])[]) {
  const keys = new Map([...edits].map(([key, edit]) => [edit, key]))
  return new Map(
    found.flatMap(([edit, next]): [string, Edit | undefined][] => {
      const key = keys.get(edit)
      return key === undefined ? [] : [[key, next]]
    }),
  )
}

function readKey(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

/** Returns whether the edits are stored. */
function writeKey(key: string, { edits }: Editing): boolean {
  try {
    const text = writeStored(edits)
    if (edits.size === 0 || text === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
    return text !== null
  } catch {
    return edits.size === 0
  }
}
