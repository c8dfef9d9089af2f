import type { ListedCategory } from '../wire.ts'

export type Act =
  /** Below a category, or at the root. */
  | { kind: 'create'; category: ListedCategory | null }
  | { kind: 'rename' | 'move' | 'merge' | 'delete'; category: ListedCategory }

/** What came of it: the category to show then, and the one whose level shall be open. */
export type Outcome = { message: string; shown?: number | undefined; opened?: number | null | undefined }
export type ActProps = {
  project: number
  category: ListedCategory
  done: (outcome: Outcome) => unknown
  close: () => void
}
