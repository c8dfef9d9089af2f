import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { ProblemError } from '../../network.ts'
import { notifyError, notifySuccess } from '../../parts/notify.ts'
import { asSentence } from '../../parts/problem.tsx'
import type { Market, ProductDetail } from '../../wire.ts'
import { patchMarket } from '../changes.ts'
import { focusField } from '../focus-field.ts'
import { marketProductQuery } from '../market-queries.ts'
import { useMediaUploads } from '../media/use-media-uploads.ts'
import { productQuery } from '../queries.ts'
import { strings as productStrings } from '../strings.ts'
import { changesOf, draftErrors, type Edits, type MarketDraft, patchOf } from './market-draft.ts'
import { fieldAtPointer } from './market-errors.ts'
import { type Shown, storedValue } from './market-values.ts'
import { strings } from './strings.ts'

export type MarketForm = ReturnType<typeof useMarketForm>

const noEdits: Edits = new Map()
const noErrors: ReadonlyMap<string, string> = new Map()

type Parts = {
  market: Market
  markets: readonly Market[]
  base: ProductDetail
  product: ProductDetail
  /** Runs after a save. By default, reports it. */
  saved?: (response: ProductDetail) => void
}

/** Edits the values of a product in a language or market. Only the edited fields are sent. */
export function useMarketForm({ market, markets, base, product: live, saved }: Parts) {
  const queries = useQueryClient()
  const { project, id } = live
  const [seen, setSeen] = useState(live)
  const [edits, setEdits] = useState(noEdits)
  const [errors, setErrors] = useState(noErrors)
  const [problem, setProblem] = useState<Error>()
  const [theirs, setTheirs] = useState<ReadonlyMap<string, unknown>>(new Map())
  const shown: Shown = { market, markets, base, product: seen }
  const changes = changesOf(edits, shown)
  const isDirty = changes.size > 0
  // Without unsaved changes, the form follows the newest version.
  if (live !== seen && !isDirty) setSeen(live)

  const edit = useCallback((field: string, draft: MarketDraft | undefined) => {
    setEdits((before) => {
      const next = new Map(before)
      if (draft === undefined) next.delete(field)
      else next.set(field, draft)
      return next
    })
    setErrors((before) => without(before, field))
  }, [])
  const media = edits.get('media') ?? (live.media as MarketDraft)
  const uploads = useMediaUploads(project, Array.isArray(media) ? media : [], (field, update) => {
    const next = typeof update === 'function' ? update({ media } as never) : update
    edit(field, next.media ?? [])
  })

  const refetch = async () => {
    await Promise.all([
      queries.fetchQuery({ ...productQuery(project, id), staleTime: 0 }),
      queries.fetchQuery({ ...marketProductQuery(project, id, market.code), staleTime: 0 }).then(setSeen),
    ])
    void queries.invalidateQueries({ queryKey: ['project', project] })
  }
  const reset = () => {
    setEdits(noEdits)
    setErrors(noErrors)
    setTheirs(new Map())
    setProblem(undefined)
  }
  const showErrors = (found: ReadonlyMap<string, string>) => {
    setErrors(found)
    const [first] = found.keys()
    if (first !== undefined) requestAnimationFrame(() => focusField(first))
  }

  /** Keeps the edits and marks the fields that another user changed, too. */
  const compare = async () => {
    const { queryKey, queryFn } = marketProductQuery(project, id, market.code)
    const newer = await queries.fetchQuery({ queryKey, queryFn, staleTime: 0 } as ReturnType<
      typeof marketProductQuery
    >)
    const now: Shown = { ...shown, product: newer }
    const changed = [...changes.keys()].filter(
      (field) => JSON.stringify(storedValue(now, field)) !== JSON.stringify(storedValue(shown, field)),
    )
    setTheirs(new Map(changed.map((field) => [field, storedValue(now, field) ?? null])))
    setSeen(newer)
    const { code, message, status } = { code: 'changed', message: strings.changedText, status: 412 }
    setProblem(new ProblemError(status, { code, detail: message }, null))
  }

  const save = useMutation({
    mutationFn: () =>
      patchMarket(project, id, { market: market.code, patch: patchOf(changes) }, seen.version),
    onSuccess: async (response) => {
      await refetch()
      reset()
      if (saved === undefined) notifySuccess(productStrings.actions.saved)
      else saved(response)
    },
    onError: async (error) => {
      if (error instanceof ProblemError && error.status === 412) return compare().catch(setProblem)
      const found = errorsByField(error, market.code)
      showErrors(found)
      setProblem(found.size > 0 ? undefined : error)
    },
  })
  const confirm = useMutation({
    mutationFn: ({ field }: { field: string; label: string }) =>
      patchMarket(project, id, { market: market.code, patch: {}, confirm: [field] }, seen.version),
    onSuccess: async (_response, { label }) => {
      await refetch()
      notifySuccess(strings.confirmed(label))
    },
    onError: (error) => {
      notifyError(error)
      void refetch()
    },
  })

  return {
    ...{ shown, edits, changes, errors, problem, theirs, isDirty, uploads, edit },
    isPending: save.isPending || confirm.isPending,
    confirm: (field: string, label: string) => confirm.mutate({ field, label }),
    save: () => {
      const found = draftErrors(edits)
      if (found.size > 0) showErrors(found)
      else if (isDirty && !save.isPending) save.mutate()
    },
    discard: () => {
      reset()
      setSeen(live)
    },
  }
}

function without(errors: ReadonlyMap<string, string>, field: string): ReadonlyMap<string, string> {
  return errors.has(field) ? new Map([...errors].filter(([other]) => other !== field)) : errors
}

function errorsByField(error: Error, code: string): Map<string, string> {
  const found = new Map<string, string>()
  if (!(error instanceof ProblemError)) return found
  for (const { pointer = '', message } of error.fieldErrors) {
    const field = fieldAtPointer(pointer, code)
    if (field !== undefined && !found.has(field)) found.set(field, asSentence(message))
  }
  return found
}

/** The product as the language or market shows it, and all languages and markets. */
export function useMarketProduct(base: ProductDetail, code: string) {
  return useQuery(marketProductQuery(base.project, base.id, code))
}
