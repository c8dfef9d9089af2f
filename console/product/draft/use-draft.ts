import { useCallback, useState } from 'react'
import { focusField } from '../field-names.ts'
import type { Draft } from './draft.ts'
import { type Faults, faultsOf, fieldOf, noFaults, sortFaults, withoutFaults } from './faults.ts'

type Update = Partial<Draft> | ((draft: Draft) => Partial<Draft>)
/** Changes what the draft says of a field; what the service found there is past then. */
export type Change = (field: string, update: Update) => void

/** What the cards of a product are given. */
export type CardProps = { draft: Draft; faults: Faults; change: Change }

export function useDraft(initial: Draft) {
  const [draft, setDraft] = useState(initial)
  const [faults, setFaults] = useState(noFaults)
  const [problem, setProblem] = useState<Error>()
  const change: Change = useCallback((field, update) => {
    setDraft((before) => ({ ...before, ...(typeof update === 'function' ? update(before) : update) }))
    setFaults((before) => withoutFaults(before, field))
  }, [])
  const clear = useCallback(() => {
    setFaults(noFaults)
    setProblem(undefined)
  }, [])
  const show = useCallback((found: Faults) => {
    setFaults(found)
    const [first] = Object.keys(found)
    if (first !== undefined) requestAnimationFrame(() => focusField(fieldOf(first)))
  }, [])
  /** Faults at their fields, of which the first is shown; the rest above the form. */
  const fail = useCallback(
    (error: Error) => {
      const { faults: found, loose } = sortFaults(error)
      show(found)
      setProblem(loose)
    },
    [show],
  )
  /** Whether the draft can be sent. */
  const check = (): boolean => {
    const found = faultsOf(draft)
    if (Object.keys(found).length > 0) show(found)
    return Object.keys(found).length === 0
  }
  return { draft, setDraft, faults, problem, change, clear, fail, check }
}
