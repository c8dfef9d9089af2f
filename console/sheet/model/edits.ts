import { isSame } from '../fields/codec.ts'
import type { Cell } from './layout.ts'

/** An unsaved cell. Edits survive a change of the page, so they hold what a save needs. */
export type Edit = {
  id: number
  field: string
  sku: string
  /** The version and the value that the user saw. */
  version: number
  base: unknown
  text: string
  /** The value to save. Undefined if the text is invalid. */
  value?: unknown
  /** Why the text is invalid, or why the service rejected the value. */
  error?: string
  /** The value that someone else saved meanwhile. */
  theirs?: { value: unknown }
}

export type Edits = ReadonlyMap<string, Edit>
type Change = { key: string; before: Edit | undefined; after: Edit | undefined }
type Step = readonly Change[]

/** The unsaved edits, and what undo and redo do to them. */
export type Editing = { edits: Edits; past: readonly Step[]; future: readonly Step[] }

export const nothingEdited: Editing = { edits: new Map(), past: [], future: [] }
/** Steps that undo remembers. */
const mostSteps = 200
/** Unsaved cells. One proposal accepts as many lines. */
export const mostEdits = 10_000

export const keyOf = (id: number, field: string) => `${id} ${field}`

export type Write = Cell & { text: string }

export function editAt({ edits }: Pick<Editing, 'edits'>, { product, field }: Cell): Edit | undefined {
  return edits.get(keyOf(product.id, field.field))
}

/** The text of a cell in the editor and the clipboard. */
export function textAt(editing: Pick<Editing, 'edits'>, cell: Cell): string {
  return editAt(editing, cell)?.text ?? cell.field.codec.text(cell.field.currentOf(cell.product))
}

/** The edit that a text makes of a cell. Undefined if the value stays the same. */
function editOf({ product, field, text }: Write, before: Edit | undefined): Edit | undefined {
  const base = before === undefined ? field.currentOf(product) : before.base
  const { id, sku, version } = before ?? product
  const read = field.codec.read(text, base)
  const edit = { id, field: field.field, sku, version, base, text }
  if ('error' in read) return { ...edit, error: read.error }
  return isSame(read.value, base) ? undefined : { ...edit, value: read.value }
}

/** Writes texts into cells as one step of undo. Undefined if there would be too many edits. */
export function writeCells(editing: Editing, writes: readonly Write[]): Editing | undefined {
  const step = writes.flatMap((write): Change[] => {
    const key = keyOf(write.product.id, write.field.field)
    const before = editing.edits.get(key)
    const after = editOf(write, before)
    return isSame(before, after) ? [] : [{ key, before, after }]
  })
  if (step.length === 0) return editing
  const edits = apply(editing.edits, step, 'after')
  if (edits.size > mostEdits) return undefined
  return { edits, past: [...editing.past, step].slice(-mostSteps), future: [] }
}

function apply(edits: Edits, step: Step, side: 'before' | 'after'): Edits {
  const next = new Map(edits)
  for (const change of step) {
    const edit = change[side]
    if (edit === undefined) next.delete(change.key)
    else next.set(change.key, edit)
  }
  return next
}

export function undo(editing: Editing): Editing {
  const { edits, past, future } = editing
  const step = past.at(-1)
  if (step === undefined) return editing
  return { edits: apply(edits, step, 'before'), past: past.slice(0, -1), future: [step, ...future] }
}

export function redo(editing: Editing): Editing {
  const { edits, past, future } = editing
  const [step, ...rest] = future
  if (step === undefined) return editing
  return { edits: apply(edits, step, 'after'), past: [...past, step], future: rest }
}

/** Replaces edits with what a save found. Undo covers only unsaved edits, so it forgets these cells. */
export function settle(editing: Editing, found: ReadonlyMap<string, Edit | undefined>): Editing {
  const next = new Map(editing.edits)
  for (const [key, edit] of found)
    if (edit === undefined) next.delete(key)
    else next.set(key, edit)
  const without = (steps: readonly Step[]) =>
    steps.map((step) => step.filter(({ key }) => !found.has(key))).filter((step) => step.length > 0)
  return { edits: next, past: without(editing.past), future: without(editing.future) }
}

export const isInvalid = ({ error }: Edit) => error !== undefined
export const isConflict = ({ theirs }: Edit) => theirs !== undefined
/** Whether a save sends it. */
export const isReady = (edit: Edit) => !isInvalid(edit) && !isConflict(edit)
