import type { ListedCategory } from '../wire.ts'

export type CategoryAction =
  /** Below a category, or at the root. */
  | { kind: 'create'; category: ListedCategory | null }
  | { kind: 'rename' | 'move' | 'merge' | 'delete'; category: ListedCategory }

/** What came of it: the category to show then, and the one whose level shall be open. */
export type ActionResult = { message: string; shown?: number | undefined; opened?: number | null | undefined }
export type ActionProps = {
  project: number
  category: ListedCategory
  done: (outcome: ActionResult) => unknown
  close: () => void
}
