import { useCallback, useState } from 'react'
import { focusField } from '../focus-field.ts'
import type { Draft } from './draft.ts'
import {
  type FieldErrors,
  fieldAtPointer,
  noErrors,
  sortErrors,
  validateDraft,
  withoutErrors,
} from './field-errors.ts'

type Update = Partial<Draft> | ((draft: Draft) => Partial<Draft>)
/** Changes a field of the draft and clears its error. */
export type Change = (field: string, update: Update) => void

/** Props of the product cards. */
export type CardProps = { draft: Draft; fieldErrors: FieldErrors; change: Change }

export function useDraft(initial: Draft) {
  const [draft, setDraft] = useState(initial)
  const [fieldErrors, setFieldErrors] = useState(noErrors)
  const [problem, setProblem] = useState<Error>()
  const change: Change = useCallback((field, update) => {
    setDraft((before) => ({ ...before, ...(typeof update === 'function' ? update(before) : update) }))
    setFieldErrors((before) => withoutErrors(before, field))
  }, [])
  const clear = useCallback(() => {
    setFieldErrors(noErrors)
    setProblem(undefined)
  }, [])
  const show = useCallback((found: FieldErrors) => {
    setFieldErrors(found)
    const [first] = Object.keys(found)
    if (first !== undefined) requestAnimationFrame(() => focusField(fieldAtPointer(first)))
  }, [])
  /** Shows errors at their fields, focuses the first, and shows the rest above the form. */
  const fail = useCallback(
    (error: Error) => {
      const { fieldErrors: found, loose } = sortErrors(error)
      show(found)
      setProblem(loose)
    },
    [show],
  )
  /** Whether the draft can be sent. */
  const check = (): boolean => {
    const found = validateDraft(draft)
    if (Object.keys(found).length > 0) show(found)
    return Object.keys(found).length === 0
  }
  return { draft, setDraft, fieldErrors, problem, change, clear, fail, check }
}
