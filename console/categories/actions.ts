import type { ListedCategory } from '../wire.ts'

export type CategoryAction =
  /** Below a category, or at the top level if null. */
  | { kind: 'create'; category: ListedCategory | null }
  | { kind: 'rename' | 'move' | 'merge' | 'delete'; category: ListedCategory }

/** The result: the category to show next, and the category to expand. */
export type ActionResult = {
  message: string
  shown?: number | undefined
  opened?: number | null | undefined
  /** Undoes the action, and returns what to report. */
  undo?: (() => Promise<string>) | undefined
}
export type ActionProps = {
  project: number
  category: ListedCategory
  done: (outcome: ActionResult) => unknown
  close: () => void
}
