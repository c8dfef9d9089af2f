import { pauseAfter } from '../../import/changes.ts'
import { ProblemError, randomKey, UnreachableError } from '../../network.ts'
import { withRetries } from '../../parts/retry.ts'
import { adjustStock, patchProduct } from '../../product/changes.ts'
import { errorAt, sortErrors } from '../../product/draft/field-errors.ts'
import type { ProductDetail } from '../../wire.ts'
import { isSame } from '../fields/codec.ts'
import { type SheetField, stockField } from '../fields/sheet-field.ts'
import type { Edit } from '../model/edits.ts'
import { patchOf, type RowChange } from '../model/save-plan.ts'
import { strings } from '../strings.ts'
import { readProduct } from './changes.ts'

/** What became of each edit: undefined if it is saved, or the edit with its error or the other user's value. */
export type RowResult = {
  product: ProductDetail | undefined
  settled: [Edit, Edit | undefined][]
  /** Why edits without a result were not saved. */
  failure?: Error
}

export type Saving = {
  project: number
  fieldAt: (path: string) => SheetField | undefined
  signal: AbortSignal
}

/**
 * Saves the changes of one product. Values that the service rejects, and values that someone else changed, stay edits; all others
 * are saved.
 */
export async function saveRow(saving: Saving, row: RowChange): Promise<RowResult> {
  const result: RowResult = { product: undefined, settled: [] }
  const { stock = [], content = [] } = Object.groupBy(row.edits, ({ field }) =>
    field === stockField ? 'stock' : 'content',
  )
  try {
    await saveContent(saving, row, content, result)
    for (const edit of stock) await saveStock(saving, edit, result)
  } catch (error) {
    result.failure = error as Error
  }
  return result
}

/** Each round sends fewer edits or a later version. More rounds mean that someone else saves all the time. */
const mostRounds = 8

async function saveContent(saving: Saving, row: RowChange, edits: Edit[], result: RowResult): Promise<void> {
  const { project, signal } = saving
  let left = edits
  let version = row.version
  for (let round = 1; left.length > 0; round += 1) {
    try {
      result.product = await withRetries(() => patchProduct(project, row.id, patchOf(left), version), {
        pauseAfter,
        signal,
      })
      result.settled.push(...left.map((edit): [Edit, undefined] => [edit, undefined]))
      return
    } catch (error) {
      if (round === mostRounds) throw error
      if (error instanceof ProblemError && error.status === 412) {
        const theirs = await readProduct(project, row.id, signal)
        left = withoutConflicts(saving, theirs, left, result)
        result.product = theirs
        version = theirs.version
      } else left = withoutErrors(error as Error, left, result)
    }
  }
}

/** Someone else changed the product. Their values of other fields do not matter. */
function withoutConflicts(
  { fieldAt }: Saving,
  theirs: ProductDetail,
  edits: Edit[],
  result: RowResult,
): Edit[] {
  return edits.filter((edit) => {
    const value = fieldAt(edit.field)?.currentOf(theirs)
    // A response that was lost, or the same change by someone else.
    if (isSame(value, edit.value)) result.settled.push([edit, undefined])
    else if (!isSame(value, edit.base))
      result.settled.push([edit, { ...edit, version: theirs.version, theirs: { value } }])
    else return true
    return false
  })
}

function withoutErrors(error: Error, edits: Edit[], result: RowResult): Edit[] {
  const { fieldErrors } = sortErrors(error)
  const rejected = edits.filter(({ field }) => errorAt(fieldErrors, field) !== undefined)
  if (rejected.length === 0) throw error
  for (const edit of rejected)
    result.settled.push([edit, withError(edit, errorAt(fieldErrors, edit.field) as string)])
  return edits.filter((edit) => !rejected.includes(edit))
}

export function withError({ value: _value, ...edit }: Edit, error: string): Edit {
  return { ...edit, error }
}

/** Adds the difference, so that a sale in the same second is not overwritten. Earlier ones are conflicts. */
async function saveStock({ project, signal }: Saving, edit: Edit, result: RowResult): Promise<void> {
  const current = result.product ?? (await readProduct(project, edit.id, signal))
  result.product = current
  const quantity = current.inventory?.quantity ?? 0
  if (quantity !== edit.base && quantity !== edit.value) {
    result.settled.push([edit, { ...edit, theirs: { value: quantity } }])
    return
  }
  const body = { delta: Number(edit.value) - quantity, reason: strings.save.reason }
  const key = randomKey()
  try {
    const inventory =
      body.delta === 0
        ? current.inventory
        : await withRetries(() => adjustStock(project, edit.id, body, key), {
            // With its key, an adjustment whose response was lost can be repeated.
            pauseAfter: (error, attempt) =>
              error instanceof UnreachableError && !error.wasOffline && attempt < mostStockAttempts
                ? 1
                : pauseAfter(error, attempt),
            signal,
          })
    result.product = { ...current, ...(inventory && { inventory }) }
    result.settled.push([edit, undefined])
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status >= 500 || error.status === 429) throw error
    result.settled.push([edit, withError(edit, error.fieldErrors[0]?.message ?? error.message)])
  }
}

const mostStockAttempts = 3
