import { useEffect, useRef, useState } from 'react'
import { limitConcurrency } from '../parts/concurrency.ts'
import type { ProductDetail, Proposal } from '../wire.ts'
import type { SheetField } from './fields/sheet-field.ts'
import { type Edit, isConflict, isInvalid } from './model/edits.ts'
import { planSave } from './model/save-plan.ts'
import { proposeRows } from './saving/propose.ts'
import { saveRow } from './saving/save-row.ts'
import { strings } from './strings.ts'
import type { SheetEdits } from './use-edits.ts'

type Options = {
  project: number
  edits: SheetEdits
  fieldAt: (path: string) => SheetField | undefined
  /** Shows a product as it was saved, or as someone else changed it. */
  adopt: (product: ProductDetail) => void
  /** Opens a proposal that contains all changes. */
  openProposal: (proposal: Proposal) => void
  announce: (text: string) => void
}

/** Patches at the same time. */
const mostPatches = 4
type Settled = [Edit, Edit | undefined]

/** Saves the valid edits: few as patches, many as a proposal. */
export function useSaving({ project, edits, fieldAt, adopt, openProposal, announce }: Options) {
  const [state, setState] = useState<{ isPending: boolean; failure?: Error; proposal?: Proposal }>({
    isPending: false,
  })
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  const run = async () => {
    abort.current = new AbortController()
    const saving = { project, fieldAt, signal: abort.current.signal }
    const { direct, proposed } = planSave(edits.now().edits)
    const limit = limitConcurrency(mostPatches)
    let failure: Error | undefined
    const all: Settled[] = []
    const keep = (settled: readonly Settled[]) => {
      all.push(...settled)
      edits.settleEdits(settled)
    }
    await Promise.all(
      direct.map((row) =>
        limit(async () => {
          const result = await saveRow(saving, row)
          failure ??= result.failure
          if (result.product !== undefined) adopt(result.product)
          keep(result.settled)
        }),
      ),
    )
    let proposal: Proposal | undefined
    if (proposed.length > 0 && failure === undefined)
      try {
        const result = await proposeRows(saving, afterRename(proposed, all, edits))
        proposal = result.proposal
        keep(result.settled)
      } catch (error) {
        failure = error as Error
      }
    return { all, failure, proposal }
  }

  const save = async () => {
    if (abort.current !== undefined || planIsEmpty(edits)) return
    setState({ isPending: true })
    const { all, failure, proposal } = await run()
    abort.current = undefined
    const left = edits.now().edits.size
    setState({
      isPending: false,
      ...(failure && { failure }),
      ...(proposal && left > 0 && { proposal }),
    })
    announce(summary(all, proposal))
    if (proposal !== undefined && left === 0) openProposal(proposal)
  }

  return { ...state, save }
}

function planIsEmpty(edits: SheetEdits): boolean {
  const { direct, proposed } = planSave(edits.now().edits)
  return direct.length + proposed.length === 0
}

/** SKUs are saved first. The lines of a proposal name products by their new SKU. */
function afterRename(rows: ReturnType<typeof planSave>['proposed'], settled: Settled[], { now }: SheetEdits) {
  const renamed = new Map(
    settled.flatMap(([{ id, field, value }, left]) =>
      field === 'sku' && left === undefined ? [[id, String(value)] as const] : [],
    ),
  )
  const known = new Set(now().edits.values())
  return rows
    .map((row) => ({
      ...row,
      sku: renamed.get(row.id) ?? row.sku,
      edits: row.edits.filter((edit) => known.has(edit)),
    }))
    .filter(({ edits }) => edits.length > 0)
}

function summary(settled: readonly Settled[], proposal: Proposal | undefined): string {
  const left = settled.flatMap(([, edit]) => edit ?? [])
  const count = settled.length - left.length
  const invalid = left.filter(isInvalid).length
  const conflicts = left.filter(isConflict).length
  return [
    count > 0 && (proposal === undefined ? strings.said.saved(count) : strings.said.proposed(count)),
    invalid > 0 && strings.said.invalid(invalid),
    conflicts > 0 && strings.said.conflicts(conflicts),
  ]
    .filter(Boolean)
    .join(' ')
}
