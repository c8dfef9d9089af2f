import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { fieldLabel, nestFields } from '../../src/model/fields/field-paths.ts'
import { proposalLimits } from '../../src/model/limits/proposals.ts'
import { proposeLines } from '../import/changes.ts'
import { randomKey } from '../network.ts'
import { notifyError } from '../parts/notify.ts'
import { type Compared, isSame } from './compared-fields.ts'
import { strings } from './strings.ts'

/** A value that the user copied: the product that gets it, its field, and the product that has it. */
type Copy = { target: number; field: string; source: number }

export type Copies = ReturnType<typeof useCopies>

/** Collects copied values, and proposes them together. */
export function useCopies(project: number, products: readonly Compared[]) {
  const [stored, setStored] = useState<readonly Copy[]>([])
  const find = (id: number) => products.find(({ product }) => product.id === id)
  // A product may have been removed from the comparison.
  const copies = stored.filter(({ target, source }) => find(target) && find(source))
  // If the response is lost, another attempt with the same values creates no second proposal.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other values need another key
  const key = useMemo(() => randomKey(), [stored])
  const router = useRouter()
  const proposing = useMutation({
    mutationFn: () =>
      proposeLines(project, { ...proposalOf(copies, products), key }, new AbortController().signal),
    onSuccess: ({ id }) =>
      router.history.push(`/projects/${project}/proposals/${id}`, undefined, { ignoreBlocker: true }),
    onError: notifyError,
  })
  return {
    copies,
    products: products.length,
    sourceOf: (target: number, field: string) => {
      const copy = copies.find((one) => one.target === target && one.field === field)
      return copy && find(copy.source)
    },
    /** Copies the value to all products with another value. */
    copy: (source: number, field: string) => {
      const value = find(source)?.wire.get(field)
      const targets = products.filter(({ wire }) => !isSame(wire.get(field), value))
      const others = copies.filter((one) => one.field !== field)
      setStored([...others, ...targets.map(({ product }) => ({ target: product.id, field, source }))])
    },
    undo: (target: number, field: string) =>
      setStored(copies.filter((one) => one.target !== target || one.field !== field)),
    clear: () => setStored([]),
    labels: copies.map(({ target, field }) =>
      strings.change(fieldLabel(field), find(target)?.product.sku ?? ''),
    ),
    propose: () => copies.length > 0 && !proposing.isPending && proposing.mutate(),
    isPending: proposing.isPending,
  }
}

/** One line per product. */
function proposalOf(copies: readonly Copy[], products: readonly Compared[]) {
  const byTarget = Map.groupBy(copies, ({ target }) => target)
  const changed = products.filter(({ product }) => byTarget.has(product.id))
  const lines = changed.map(({ product: { id, sku } }) => {
    const values = (byTarget.get(id) ?? []).map(({ field, source }) => {
      const from = products.find(({ product }) => product.id === source)
      return [field, from?.wire.get(field) ?? null] as const
    })
    return { sku, ...nestFields(values) }
  })
  const title = strings.proposalTitle(changed.map(({ product }) => product.sku))
  return {
    title: title.slice(0, proposalLimits.titleCharacters).toWellFormed(),
    mode: 'update' as const,
    body: new Blob([lines.map((line) => JSON.stringify(line)).join('\n')]),
  }
}
