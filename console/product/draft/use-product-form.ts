import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { ProblemError } from '../../network.ts'
import { notifySuccess } from '../../parts/notify.ts'
import type { ProductDetail } from '../../wire.ts'
import { patchProduct } from '../changes.ts'
import { useMediaUploads } from '../media/use-media-uploads.ts'
import { productQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import { type Draft, draftOf } from './draft.ts'
import { changedFields, patchOf, rebase } from './draft-changes.ts'
import { useDraft } from './use-draft.ts'

export type ProductForm = ReturnType<typeof useProductForm>

/**
 * Edits the loaded version of a product. With unsaved changes, the form stays on that version even if a newer one is
 * read. Saving then fails, and the user compares both versions.
 */
export function useProductForm(
  project: number,
  live: ProductDetail,
  saved: (response: ProductDetail) => void = () => notifySuccess(strings.actions.saved),
) {
  const queries = useQueryClient()
  const [base, setBase] = useState(live)
  const form = useDraft(useMemo(() => draftOf(live), [live]))
  const { draft, setDraft, clear, fail } = form
  const uploads = useMediaUploads(project, draft.media, form.change)
  const [theirs, setTheirs] = useState<ProductDetail>()
  const before = useMemo(() => draftOf(base), [base])
  const changed = useMemo(() => [...changedFields(before, draft).keys()], [before, draft])
  const isDirty = changed.length > 0
  if (live !== base && !isDirty) {
    setBase(live)
    setDraft(draftOf(live))
  }

  /** Adopts the response to a change. Keeps changes made since `sent`, except in the fields that were written. */
  const adopt = useCallback(
    async (response: ProductDetail, sent: Draft = before, written: readonly string[] = []) => {
      const { queryKey } = productQuery(project, response.id)
      await queries.cancelQueries({ queryKey, exact: true })
      queries.setQueryData(queryKey, response)
      setBase(response)
      setDraft((mine) => rebase(sent, mine, draftOf(response), written))
      setTheirs(undefined)
      clear()
      void queries.invalidateQueries({ queryKey: ['project', project] })
    },
    [before, clear, project, queries, setDraft],
  )

  const save = useMutation({
    mutationFn: ({ from, onto, mine }: Save) =>
      patchProduct(project, from.id, patchOf(onto, mine), from.version),
    onSuccess: async (response, { mine }) => {
      await adopt(response, mine)
      saved(response)
    },
    onError: async (error) => {
      if (!isOutrun(error)) return fail(error)
      await queries.fetchQuery({ ...productQuery(project, base.id), staleTime: 0 }).then(setTheirs, fail)
    },
  })

  return {
    ...{ base, before, changed, isDirty, adopt, theirs, uploads, isPending: save.isPending },
    ...{ draft, fieldErrors: form.fieldErrors, problem: form.problem, change: form.change },
    save: () => {
      if (isDirty && !save.isPending && theirs === undefined && form.check())
        save.mutate({ from: base, onto: before, mine: draft })
    },
    discard: () => {
      setBase(live)
      setDraft(draftOf(live))
      clear()
    },
    /** Continues from the other user's version with the selected values. */
    merge: (merged: Draft) => {
      if (theirs === undefined) return
      setBase(theirs)
      setDraft(merged)
      setTheirs(undefined)
      const onto = draftOf(theirs)
      if (changedFields(onto, merged).size > 0) save.mutate({ from: theirs, onto, mine: merged })
    },
    keepEditing: () => setTheirs(undefined),
  }
}

type Save = { from: ProductDetail; onto: Draft; mine: Draft }

function isOutrun(error: Error): boolean {
  return error instanceof ProblemError && error.status === 412
}
